/// How far apart two writes of a file have to be for its entity tags to tell them apart: what a server has of them are times
/// of its disk, which some count in seconds, others in thousandths of one.
package struct TagGrain: Sendable {
    /// One write of a file, which had the same length as the others.
    private struct Write {
        let tag: [UInt8]
        let begun: Duration
        let ended: Duration
    }

    /// The finest grain with which a tag counts as telling writes apart.
    static let fine = Duration.milliseconds(250)

    private var writes: [Write] = []

    package init() {}

    /// A write was made.
    ///
    /// - Parameters:
    ///   - tag: What the server says afterwards, without the mark of a weak one.
    ///   - begun: When it was asked for, from a moment that is the same for all.
    ///   - ended: When it was answered.
    package mutating func add(_ tag: [UInt8], begun: Duration, ended: Duration) {
        writes.append(Write(tag: tag, begun: begun, ended: ended))
    }

    /// Whether two writes that are ``fine`` apart or more have different tags for certain.
    ///
    /// Writes in a row have as many boundaries of the grain between them as there are tags, but for one, and there is one
    /// grain from each boundary to the next.
    package var isFine: Bool {
        writes.indices.contains { first in
            writes.indices.contains { last in
                guard first + 2 <= last else { return false }
                let row = writes[first...last]
                let grains = Set(row.map(\.tag)).count - 2
                guard grains >= 1 else { return false }
                return row[last].ended - row[first].begun <= Self.fine * grains
            }
        }
    }
}
