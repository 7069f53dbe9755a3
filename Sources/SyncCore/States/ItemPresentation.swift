/// How an item is shown to the user.
package struct ItemPresentation: Hashable, Sendable {
    /// Its state; for a directory, the worst of its contents.
    package var state: ItemSyncState
    /// 0 to 100 while its bytes are being transferred, otherwise nil.
    package var progress: UInt8?
    /// The bytes done of what is being transferred.
    package var bytesDone: Int64
    /// The total for `bytesDone`.
    package var bytesTotal: Int64
    /// Details that the state does not show.
    package var message: Explanation
    /// Where its contents are; nil in a folder in which they are always here.
    package var contents: ItemContents?
    /// What the remote tells of it beside that.
    package var marks: ItemMarks

    /// A presentation.
    package init(
        state: ItemSyncState, progress: UInt8? = nil, bytesDone: Int64 = 0, bytesTotal: Int64 = 0,
        message: Explanation = .nothing, contents: ItemContents? = nil, marks: ItemMarks = []
    ) {
        self.state = state
        self.progress = progress
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.message = message
        self.contents = contents
        self.marks = marks
    }
}
