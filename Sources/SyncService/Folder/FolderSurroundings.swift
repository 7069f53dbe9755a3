internal import DBus
internal import RoundelBus

/// What a synced folder needs of the worker, and whom it tells what happens in it.
struct FolderSurroundings {
    let loop: EventLoop
    let control: LoopControl
    let blocking: BlockingWork
    /// Starts and ends the programs of folders on demand.
    let mounts: MountRunner
    let kinds: RemoteKinds
    let places: WorkerPlaces
    /// Waits until all changes made in a folder so far were reported to it.
    let flush: (ItemURI, @escaping () -> Void) -> Void
    /// Called with new badges.
    let onBadges: ([BadgeUpdate]) -> Void
    let onStatus: (FolderNews) -> Void
    /// Called with new entries of the folder's log.
    let onActivities: ([SyncActivity]) -> Void
    /// Called when a folder on demand was mounted, and when it answers no more.
    let onMount: (_ id: String, _ isThere: Bool) -> Void
    /// Called when a change of a folder's directories is finished.
    let onStepDone: (_ id: String) -> Void
    /// Called when work in the folder began or ended.
    let onWork: () -> Void
    /// Called when the folder is to be scanned at another time than before.
    let onRescanPlan: () -> Void
}

/// The state of one folder, for the badge service and for the bus.
struct FolderNews {
    let uri: ItemURI
    let hubStatus: FolderStatus
    /// What needs the user's attention.
    let notices: [FolderNotice]
    let report: SyncFolderStatus
}
