/// Why an item is not plainly synced; an item without a status is synced.
public struct NodeStatus: Hashable, Sendable {
    /// `pending`, `conflict`, `error` or `excluded`, or `synced` for an item that is only to be verified; `syncing` is
    /// known to the session alone, as it dies with it.
    public var state: ItemSyncState
    /// Whether the planner still has to look at it. Independent of the state: the two sides of a conflict are clean
    /// and yet shown as `conflict`.
    public var isDirty: Bool
    /// For a person: what is wrong and what to do; nothing where the state says everything.
    public var message: Explanation
    /// Bytes to transfer.
    public var bytes: Int64
    /// For a conflict: the other node of the pair.
    public var counterpart: NodeID?
    /// For a conflict: whether this is the local version, which gave way.
    public var isLocalVersion: Bool
    /// For a conflict: when it was found, in seconds since 1970; 0 where that is not known.
    public var detected: Int64
    /// For the local version of a conflict: what was decided about it, until that is carried out.
    public var choice: ConflictChoice?

    /// A status.
    public init(
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
