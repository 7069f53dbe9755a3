/// Why an item is not simply synced; an item without a status is synced.
package struct NodeStatus: Hashable, Sendable {
    /// `pending`, `conflict`, `error` or `excluded`, or `synced` for an item that must only be verified. Only the
    /// session knows `syncing`, because that ends with the session.
    package var state: ItemSyncState
    /// Whether the planner must still handle it. Independent of the state: the two sides of a conflict are clean and
    /// still shown as `conflict`.
    package var isDirty: Bool
    /// The message for the user: what is wrong and what to do; empty if the state says everything.
    package var message: Explanation
    /// Bytes to transfer.
    package var bytes: Int64
    /// For a conflict: the other node of the pair.
    package var counterpart: NodeID?
    /// For a conflict: whether this is the local version, which was renamed.
    package var isLocalVersion: Bool
    /// For a conflict: when it was found, in seconds since 1970; 0 if it is not known.
    package var detected: Int64
    /// For the local version of a conflict: the user's decision, until it is carried out.
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
