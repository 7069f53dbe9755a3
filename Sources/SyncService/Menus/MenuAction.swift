internal import RoundelBus
internal import SyncCore

/// The actions of the worker's menu items, by their IDs.
enum MenuAction: String {
    case syncNow = "sync-now"
    case pause
    case pauseForAnHour = "pause-hour"
    case pauseUntilTomorrow = "pause-tomorrow"
    case resume
    case openFolder = "open-folder"
    case openRemote = "open-remote"
    case showRemote = "show-remote"
    case showInBrowser = "show-in-browser"
    case copyShareLink = "copy-share-link"
    case copyWeekLink = "copy-week-link"
    case share
    case lock
    case unlock
    case exclude
    case include
    case download
    case freeUp = "free-up"
    case pin
    case unpin
    case mine = "resolve-mine"
    case theirs = "resolve-theirs"
    case both = "resolve-both"
    case compare
    case why
    case history
    case confirmDeletes = "confirm-deletes"
    case restoreDeleted = "restore-deleted"
    case unite
    case acceptRemote = "accept-remote"
    case sameRoot = "same-root"

    /// Called at the end of an action, with what it made if it made something.
    typealias Finish = (Result<ActionProduct?, RoundelError>) -> Void

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
    ///
    /// - Parameter deletions: What the item says that it deletes.
    func id(_ scope: Scope = .concerned, of deletions: AskedDeletions? = nil) -> String {
        rawValue + (deletions.map { ".\($0.text)" } ?? "") + scope.suffix
    }

    /// The ID of the menu in which a person chooses how long to pause.
    static func pauseMenu(_ scope: Scope) -> String { "pause-menu" + scope.suffix }

    /// An item that was chosen.
    struct Choice {
        var action: MenuAction
        var scope: Scope
        /// What the item said that it deletes.
        var deletions: AskedDeletions?
    }

    /// Parses the ID of a menu item; nil if there is no such action.
    static func parse(_ id: String) -> Choice? {
        let parts = id.split(separator: ":", maxSplits: 1)
        let words = parts.first?.split(separator: ".", maxSplits: 1) ?? []
        guard let action = words.first.flatMap({ MenuAction(rawValue: String($0)) }) else { return nil }
        return Choice(
            action: action, scope: Scope(parts.dropFirst().first),
            deletions: words.dropFirst().first.flatMap { AskedDeletions($0) })
    }
}

/// The actions of notices that no menu contains, by their IDs.
enum NoticeAction: String {
    case showConflicts = "show-conflicts"
    case showErrors = "show-errors"
    /// Followed by a colon and the number of one of the two items.
    case keepBoth = "keep-both"
    /// Followed by a colon and the number of the question.
    case allowDownload = "allow-download"
    case stopDownload = "stop-download"

    /// The ID of this action for one item.
    func id(of node: NodeID) -> String { "\(rawValue):\(node.rawValue)" }

    /// The ID of this action for a question with a number.
    func id(ofQuestion number: Int) -> String { "\(rawValue):\(number)" }
}

/// The deletions about which the user was asked. More may have come since the question was shown.
struct AskedDeletions: Equatable {
    /// How many items.
    var count: Int
    /// Where they would be deleted.
    var side: Side

    init(_ count: Int, on side: Side) {
        self.count = count
        self.side = side
    }

    /// Parses ``text``; nil for anything else.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let count = Int(parts[0]),
            let side = Side.allCases.first(where: { Self.word($0) == parts[1] })
        else { return nil }
        self.init(count, on: side)
    }

    /// As a part of an ID.
    var text: String { "\(count)-\(Self.word(side))" }

    private static func word(_ side: Side) -> String {
        switch side {
        case .local: "local"
        case .remote: "remote"
        }
    }

    /// Whether an answer to this question also answers `other`: it deletes no more, and nothing elsewhere.
    func covers(_ other: AskedDeletions) -> Bool { side == other.side && count >= other.count }
}

extension SessionStatus {
    /// The deletions that wait for an answer of the user; nil if none do.
    var waitingDeletions: AskedDeletions? {
        switch phase {
        case .confirmDeletes(let count, let side): AskedDeletions(count, on: side)
        case .idle, .looking, .syncing, .paused, .offline, .stopped: nil
        }
    }
}
