/// How a folder is, with its number on the bus.
public enum FolderState: UInt32, CaseIterable, Sendable {
    /// Its provider is not there, or has not said yet.
    case unknown = 0
    /// Nothing is left to do.
    case idle = 1
    /// Something is being done.
    case syncing = 2
    /// It needs the person.
    case attention = 3
    /// Something went wrong.
    case error = 4
    /// The person has paused it.
    case paused = 5
}
