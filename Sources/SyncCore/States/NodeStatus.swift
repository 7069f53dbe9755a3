/// Why an item is not plainly synced; an item without a status is synced.
package struct NodeStatus: Hashable, Sendable {
    /// `pending`, `conflict`, `error` or `excluded`, or `synced` for an item that is only to be verified; `syncing` is
    /// known to the session alone, as it dies with it.
    package var state: ItemSyncState
    /// Whether the planner still has to look at it. Independent of the state: the two sides of a conflict are clean
    /// and yet shown as `conflict`.
    package var isDirty: Bool
    /// For a person: what is wrong and what to do; nothing where the state says everything.
    package var message: Explanation
    /// Bytes to transfer.
    package var bytes: Int64
    /// For a conflict: the other node of the pair.
    package var counterpart: NodeID?
    /// For a conflict: whether this is the local version, which gave way.
    package var isLocalVersion: Bool
    /// For a conflict: when it was found, in seconds since 1970; 0 where that is not known.
    package var detected: Int64
    /// For the local version of a conflict: what was decided about it, until that is carried out.
    package var choice: ConflictChoice?

    /// A status.
    package init(
        state: ItemSyncState, isDirty: Bool, message: Explanation = .nothing, bytes: Int64 = 0,
        counterpart: NodeID? = nil,
        isLocalVersion: Bool = false, detected: Int64 = 0, choice: ConflictChoice? = nil
    ) {
        self.state = state
        self.isDirty = isDirty
        self.message = message
        self.bytes = bytes
        self.counterpart = counterpart
        self.isLocalVersion = isLocalVersion
        self.detected = detected
        self.choice = choice
    }
}
