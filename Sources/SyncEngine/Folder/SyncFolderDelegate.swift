package import SyncCore

/// Who is told what happens in a folder, always on the control loop.
package protocol SyncFolderDelegate: AnyObject {
    /// States of items changed, ancestors after what is in them.
    func syncFolder(_ folder: SyncFolder, changed states: [StateChange])
    /// The folder as a whole changed.
    func syncFolder(_ folder: SyncFolder, status: SessionStatus)
    /// Things were done; they stand in the activity log already.
    func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord])
    /// A run ended.
    func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary)
    /// After `stop`: nothing is in flight any more.
    func syncFolderDidStop(_ folder: SyncFolder)
    /// Something went wrong that is worth a line in the log.
    func syncFolder(_ folder: SyncFolder, warns warning: Explanation)
}
