/// What an item of the worker's menus does, by its id.
enum MenuAction: String {
    case syncNow = "sync-now"
    case pause
    case resume
    case openFolder = "open-folder"
    case openRemote = "open-remote"
    case showRemote = "show-remote"
    case showInBrowser = "show-in-browser"
    case copyShareLink = "copy-share-link"
    case exclude
    case include
    case mine = "resolve-mine"
    case theirs = "resolve-theirs"
    case both = "resolve-both"
    case confirmDeletes = "confirm-deletes"
    case restoreDeleted = "restore-deleted"
    case unite
    case acceptRemote = "accept-remote"

    /// To which folders an action applies.
    enum Scope: Equatable {
        /// Those of the target and the selection.
        case concerned
        /// The one with this id.
        case folder(String)
        /// All.
        case all

        private static let everything = "all"

        fileprivate var suffix: String {
            switch self {
            case .concerned: ""
            case .folder(let id): ":" + id
            case .all: ":" + Self.everything
            }
        }

        fileprivate init(_ text: Substring?) {
            guard let text else {
                self = .concerned
                return
            }
            self = text == Self.everything ? .all : .folder(String(text))
        }
    }

    /// The id of an item that does this.
    func id(_ scope: Scope = .concerned) -> String { rawValue + scope.suffix }

    /// What an id stands for; nil for one that no menu has.
    static func parse(_ id: String) -> (action: MenuAction, scope: Scope)? {
        let parts = id.split(separator: ":", maxSplits: 1)
        guard let action = parts.first.flatMap({ MenuAction(rawValue: String($0)) }) else { return nil }
        return (action, Scope(parts.dropFirst().first))
    }
}
