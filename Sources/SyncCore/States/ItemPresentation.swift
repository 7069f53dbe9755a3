/// What a person is to see of an item.
public struct ItemPresentation: Hashable, Sendable {
    /// Its state; of a directory the worst of what is in it.
    public var state: ItemSyncState
    /// 0 to 100 while bytes of it are moving, else nil.
    public var progress: UInt8?
    /// Bytes done and to do, of what is moving.
    public var bytesDone: Int64
    /// See `bytesDone`.
    public var bytesTotal: Int64
    /// What the state does not say.
    public var message: Explanation

    /// A presentation.
    public init(
        state: ItemSyncState, progress: UInt8? = nil, bytesDone: Int64 = 0, bytesTotal: Int64 = 0,
        message: Explanation = .nothing
    ) {
        self.state = state
        self.progress = progress
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.message = message
    }
}
