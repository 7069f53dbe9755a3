/// What the user must do before syncing can continue, by its word in `org.roundel.Roundel1.Engine.Folders`.
public enum FolderNeed: String, CaseIterable, Sendable {
    /// Many deletions wait for a confirmation.
    case confirmDeletes = "confirm-deletes"
    /// The local folder is missing.
    case rootMissing = "root-missing"
    /// Another directory is in the place of the folder.
    case rootReplaced = "root-replaced"
    /// The remote directory is missing.
    case remoteMissing = "remote-missing"
    /// Another directory is in the place of the remote.
    case remoteReplaced = "remote-replaced"
    /// The remote seems to have been restored from a backup.
    case remoteRestored = "remote-restored"
    /// The server requires a login.
    case login
    /// The server cannot be reached, or has changed.
    case server
    /// Items wait for free space, on this computer or on the remote.
    case diskFull = "disk-full"
    /// Some items are in conflict.
    case conflicts
    /// Some items could not be synced.
    case errors
}
