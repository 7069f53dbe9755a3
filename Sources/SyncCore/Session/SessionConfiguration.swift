/// The settings of a session.
package struct SessionConfiguration: Hashable, Sendable {
    /// Four characters that distinguish this installation's conflict copies from others'.
    package var tag: String
    /// The name of this computer, which its conflict copies carry; "" for none.
    package var computer = ""
    /// Which names are not synced.
    package var excludes: ExcludePatterns
    /// How many effects the caller carries out at the same time; a few times as many are handed out.
    package var concurrency: Int
    /// The most operations in progress; more wait in the store.
    package var operationLimit: Int
    /// The most items that are removed from the remote together with their directory: they are recorded in one turn.
    package var treeLimit: Int
    /// Whether the session begins paused.
    package var isPaused: Bool
    /// Whether files may be here without their contents. No folder can be made so yet.
    package var isOnDemand = false
    /// Whether items are only uploaded: nothing of the remote is looked at, and what was uploaded stays there.
    package var isUploadOnly = false
    /// Whether a file goes to the trash once it was uploaded; only where items are only uploaded.
    package var trashesUploaded = false
    /// How long the session waits on purpose.
    package var pauses: SessionPauses

    /// A configuration.
    package init(
        tag: String, excludes: ExcludePatterns = ExcludePatterns(), concurrency: Int = 16, operationLimit: Int = 4_096,
        treeLimit: Int = 10_000, isPaused: Bool = false, pauses: SessionPauses = SessionPauses()
    ) {
        self.tag = tag
        self.excludes = excludes
        self.concurrency = concurrency
        self.operationLimit = operationLimit
        self.treeLimit = treeLimit
        self.isPaused = isPaused
        self.pauses = pauses
    }
}
