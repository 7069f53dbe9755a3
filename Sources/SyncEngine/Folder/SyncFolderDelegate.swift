package import SyncCore

/// Receives the events of a folder, always on the control loop.
package protocol SyncFolderDelegate: AnyObject {
    /// The states of items changed; ancestors come after their contents.
    func syncFolder(_ folder: SyncFolder, changed states: [StateChange])
    /// The status of the folder as a whole changed.
    func syncFolder(_ folder: SyncFolder, status: SessionStatus)
    /// Activities were carried out; the activity log contains them already.
    func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord])
    /// A run ended.
    func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary)
    /// After `stop`: nothing is in flight any more.
    func syncFolderDidStop(_ folder: SyncFolder)
    /// Something went wrong that is worth a line in the log.
    func syncFolder(_ folder: SyncFolder, warns warning: Explanation)
}
