import SyncCore

/// An entity tag that Apache makes of the size and the time of a file, both in hexadecimal digits.
struct FileTimeTag {
    /// Microseconds since 1970.
    let time: Int64

    /// The tag of a file; nil if it is made of anything else.
    ///
    /// - Parameter length: The length of the file in bytes.
    init?(_ item: MultistatusResponse, length: Int64) {
        guard item.length == length, let tag = item.entityTag else { return nil }
        let parts = String(decoding: tag.opaque, as: UTF8.self).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, Int64(parts[0], radix: 16) == length, let time = Int64(parts[1], radix: 16) else {
            return nil
        }
        self.time = time
    }
}

/// When two files were written, one after the other, by this computer's clock: each from the request to the answer.
struct WriteTimes {
    let first: ClosedRange<ContinuousClock.Instant>
    let second: ClosedRange<ContinuousClock.Instant>
    /// Seconds by which the server's clock and the times of its files may differ.
    private static let drift: Int64 = 60

    /// Whether these times of the files, in microseconds, are those of the writes, and no coarser than
    /// ``TagGrain/veryFine``.
    ///
    /// Coarse times are of whole milliseconds, or lie further apart than the writes, or not at all. Those of a kernel's clock,
    /// which goes on every 10 ms or more often, are neither.
    ///
    /// - Parameter now: Seconds since 1970 by the server's clock, a moment after the writes.
    func fit(_ time: Int64, _ later: Int64, at now: Int64) -> Bool {
        guard time % 1_000 != 0, later % 1_000 != 0, time < later, abs(now - later / 1_000_000) <= Self.drift else {
            return false
        }
        let apart = Duration.microseconds(later - time)
        return apart >= second.lowerBound - first.upperBound - TagGrain.veryFine
            && apart <= second.upperBound - first.lowerBound + TagGrain.veryFine
    }
}
