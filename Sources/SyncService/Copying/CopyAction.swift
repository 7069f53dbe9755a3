internal import SyncEngine

/// What menus and notices offer for copying items out of a folder and into one, by their IDs.
enum CopyAction: Equatable {
    /// Copies the selection to a place that the person chooses.
    case copyOut
    /// Copies or moves what the person chooses into the directory shown, or into the folder with this ID.
    case add(CopyTask.Way, directories: Bool, folder: String?)
    /// Stops the copy with this number.
    case stop(Int)
    /// Shows what the copy with this number has placed.
    case show(Int)

    /// The ID of a menu item or of a button of a notice.
    var id: String {
        switch self {
        case .copyOut: "copy-out"
        case .add(let way, let directories, let folder):
            Self.word(way, directories) + (folder.map { ":" + $0 } ?? "")
        case .stop(let number): "stop-copy:\(number)"
        case .show(let number): "show-copy:\(number)"
        }
    }

    /// Parses an ID; nil for anything else.
    init?(id: String) {
        let parts = id.split(separator: ":", maxSplits: 1).map(String.init)
        let number = parts.count > 1 ? Int(parts[1]) : nil
        switch (parts.first, number) {
        case ("copy-out", _) where parts.count == 1: self = .copyOut
        case ("stop-copy", let number?): self = .stop(number)
        case ("show-copy", let number?): self = .show(number)
        case (let word?, _):
            guard let kind = Self.additions.first(where: { Self.word($0.way, $0.directories) == word }) else {
                return nil
            }
            self = .add(kind.way, directories: kind.directories, folder: parts.count > 1 ? parts[1] : nil)
        case (nil, _): return nil
        }
    }

    /// All ways to add something, in the order of the menu: the dialogs of desktops show either files or directories.
    static let additions: [(way: CopyTask.Way, directories: Bool)] = [
        (.copy, false), (.copy, true), (.move, false), (.move, true),
    ]

    private static func word(_ way: CopyTask.Way, _ directories: Bool) -> String {
        switch way {
        case .copy: directories ? "add-directories" : "add-files"
        case .move: directories ? "move-directories" : "move-files"
        }
    }
}
