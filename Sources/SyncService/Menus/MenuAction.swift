/// The actions of the worker's menu items, by their IDs.
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

    /// The folders to which an action applies.
    enum Scope: Equatable {
        /// The folders of the target and the selection.
        case concerned
        /// The folder with this ID.
        case folder(String)
        /// All folders.
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

    /// The ID of a menu item with this action.
    func id(_ scope: Scope = .concerned) -> String { rawValue + scope.suffix }

    /// Parses the ID of a menu item; nil if there is no such action.
    static func parse(_ id: String) -> (action: MenuAction, scope: Scope)? {
        let parts = id.split(separator: ":", maxSplits: 1)
        guard let action = parts.first.flatMap({ MenuAction(rawValue: String($0)) }) else { return nil }
        return (action, Scope(parts.dropFirst().first))
    }
}
