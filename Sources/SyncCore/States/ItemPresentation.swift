/// What a person is to see of an item.
package struct ItemPresentation: Hashable, Sendable {
    /// Its state; of a directory the worst of what is in it.
    package var state: ItemSyncState
    /// 0 to 100 while bytes of it are moving, else nil.
    package var progress: UInt8?
    /// Bytes done and to do, of what is moving.
    package var bytesDone: Int64
    /// See `bytesDone`.
    package var bytesTotal: Int64
    /// What the state does not say.
    package var message: Explanation

    /// A presentation.
    package init(
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
