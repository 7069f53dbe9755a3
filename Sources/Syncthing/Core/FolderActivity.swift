/// What Syncthing does with a folder, by its words for it.
enum FolderActivity: Equatable, Sendable {
    case idle, scanning, syncing
    /// The folder is stopped, for this reason in Syncthing's words.
    case stopped(String)

    /// - Parameter problem: What is wrong with the folder, if its state is `error`.
    init(word: String, problem: String) {
        switch word {
        case "error": self = .stopped(problem)
        case "scanning", "scan-waiting": self = .scanning
        case "syncing", "sync-preparing", "sync-waiting", "cleaning", "clean-waiting": self = .syncing
        // Words of later versions stand for something that goes on, or for rest.
        default: self = .idle
        }
    }
}
