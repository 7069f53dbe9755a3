/// Determines how far apart two writes of a file must be to get different entity tags: servers derive them from file
/// times, which may have a resolution of seconds or milliseconds.
package struct TagGrain: Sendable {
    /// One write of a file; all writes have the same length.
    private struct Write {
        let tag: [UInt8]
        let begun: Duration
        let ended: Duration
    }

    /// The coarsest grain that still counts as fine.
    static let fine = Duration.milliseconds(250)
    /// The coarsest grain that counts as very fine: that of common kernels is four or ten milliseconds.
    static let veryFine = Duration.milliseconds(20)

    /// The grain of servers that make tags of file times in whole seconds.
    static let wholeSeconds = Duration.seconds(1)

    private var writes: [Write] = []

    package init() {}

    /// Adds a write.
    ///
    /// - Parameters:
    ///   - tag: The tag afterwards, without the mark of a weak one.
    ///   - begun: When it was requested, from a common starting point.
    ///   - ended: When the response arrived.
    package mutating func add(_ tag: [UInt8], begun: Duration, ended: Duration) {
        writes.append(Write(tag: tag, begun: begun, ended: ended))
    }

    /// The time that two writes must be apart to have different tags for certain; nil if the writes do not show it.
    ///
    /// A series of writes with n tags crosses n - 1 boundaries of the grain, and adjacent boundaries are one grain
    /// apart.
    package var bound: Duration? {
        writes.indices.flatMap { first in
            writes.indices.dropFirst(first + 2).compactMap { last -> Duration? in
                let row = writes[first...last]
                let grains = Set(row.map(\.tag)).count - 2
                return grains < 1 ? nil : (row[last].ended - row[first].begun) / grains
            }
        }.min()
    }
}
