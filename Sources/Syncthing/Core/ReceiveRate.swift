internal import Support

/// How fast contents arrive, from how far the items in hand have come at each report of Syncthing.
struct ReceiveRate {
    private var last: (done: UInt64, at: Instant)?
    /// Bytes per second; nil while nothing arrives, and at the beginning.
    private(set) var rate: UInt64?

    /// Notes how many bytes of the items in hand are there. The number falls when items are finished.
    mutating func note(_ done: UInt64, at now: Instant) {
        defer { last = (done, now) }
        guard let last else { return }
        let seconds = last.at.duration(to: now) / .seconds(1)
        guard seconds > 0.2, done > last.done else { return rate = nil }
        rate = UInt64(exactly: (Double(done - last.done) / seconds).rounded())
    }
}
