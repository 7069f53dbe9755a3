/// The state of a folder, with its number on the bus.
public enum FolderState: UInt32, CaseIterable, Sendable {
    /// Its provider does not run, or has not reported a state yet.
    case unknown = 0
    /// Nothing is left to do.
    case idle = 1
    /// Something is being done.
    case syncing = 2
    /// It needs the user's attention.
    case attention = 3
    /// Something went wrong.
    case error = 4
    /// The user has paused it.
    case paused = 5
}
