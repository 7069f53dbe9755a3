/// When files are freed without being asked for one by one: a rule that the user made.
package struct FreeingRule: Hashable, Sendable {
    /// Files are freed until this many bytes are free; nil if that does not matter.
    package var roomToKeep: Int64?
    /// Files are freed that were not used for this many seconds; nil if that does not matter.
    package var longestUnused: Int64?

    /// A rule.
    package init(roomToKeep: Int64? = nil, longestUnused: Int64? = nil) {
        self.roomToKeep = roomToKeep
        self.longestUnused = longestUnused
    }

    /// A file that may be freed.
    package struct Candidate: Hashable, Sendable {
        /// The item.
        package var node: NodeID
        /// The bytes that freeing it gives back.
        package var bytes: Int64
        /// When it was last used, in seconds since 1970.
        package var lastUse: Int64

        /// A candidate.
        package init(_ node: NodeID, bytes: Int64, lastUse: Int64) {
            self.node = node
            self.bytes = bytes
            self.lastUse = lastUse
        }
    }

    /// The files that give room, the one that was not used for the longest time first. Of files that were last used at
    /// the same time, larger ones come first, so that fewer go.
    package static func eldestFirst(_ candidates: some Sequence<Candidate>) -> [Candidate] {
        candidates.filter { $0.bytes > 0 }
            .sorted { ($0.lastUse, -$0.bytes, $0.node) < ($1.lastUse, -$1.bytes, $1.node) }
    }

    /// The files to free: the first of these.
    ///
    /// - Parameters:
    ///   - eldestFirst: In the order of ``eldestFirst(_:)``.
    ///   - free: The bytes that are free now; nil if that is not known, so that no file goes for room.
    ///   - now: The present time, in seconds since 1970.
    package func choice(
        from eldestFirst: ArraySlice<Candidate>, free: Int64?, now: Int64
    ) -> ArraySlice<Candidate> {
        var missing = roomToKeep.flatMap { wanted in free.map { wanted.subtractingClamped($0) } } ?? 0
        let before = longestUnused.map { now.subtractingClamped($0) }
        return eldestFirst.prefix { candidate in
            guard missing > 0 || before.map({ candidate.lastUse <= $0 }) == true else { return false }
            missing = missing.subtractingClamped(candidate.bytes)
            return true
        }
    }
}

extension Int64 {
    /// The difference, or the limit nearest to it.
    fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, isOverflow) = subtractingReportingOverflow(other)
        if !isOverflow { return difference }
        return other > 0 ? .min : .max
    }
}
