/// What a person must do before a folder goes on, by its word in `org.roundel.SyncWorker1`.
public enum FolderNeed: String, CaseIterable, Sendable {
    /// Many deletions wait for a confirmation.
    case confirmDeletes = "confirm-deletes"
    /// The folder on this computer is missing.
    case rootMissing = "root-missing"
    /// Another directory has the folder's place.
    case rootReplaced = "root-replaced"
    /// The remote directory is missing.
    case remoteMissing = "remote-missing"
    /// Another directory has the remote's place.
    case remoteReplaced = "remote-replaced"
    /// The remote looks restored from a backup.
    case remoteRestored = "remote-restored"
    /// The server wants a login.
    case login
    /// The server cannot be reached, or is not what it was.
    case server
    /// Items wait for space, here or on the remote.
    case diskFull = "disk-full"
    /// Some items are in conflict.
    case conflicts
    /// Some items could not be synced.
    case errors
}
