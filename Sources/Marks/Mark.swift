package import RoundelBus
internal import Support

/// What was said of a folder last, and since when its items count as done.
package struct Mark: Equatable, Sendable {
    package let folder: ItemURI
    /// A common badge.
    package private(set) var state: Badge
    /// In percent, or 255 for none.
    package private(set) var progress = Progress.none
    /// A sentence; may be empty.
    package private(set) var message = ""
    /// When it was said, in microseconds since 1970.
    package private(set) var said: Int64
    /// When the present run began; nil if none runs.
    package private(set) var started: Int64?
    /// When the last run began that succeeded: items that changed since then are pending. Nil if none did.
    package private(set) var done: Int64?
    /// Whether the run fails with whoever said that it began.
    package private(set) var isOwned = false

    package init(_ folder: ItemURI, at now: Int64) {
        self.folder = folder
        state = .pending
        said = now
    }

    /// Takes a statement in.
    package mutating func take(_ statement: MarksProxy.Statement, at now: Int64) {
        // A command may say more of the run that it is, such as how far it is.
        isOwned = statement.isOwned || (isOwned && state == .syncing && statement.state == .syncing)
        if statement.state == .syncing {
            started = statement.started ?? started ?? now
        } else {
            if statement.state == .synced { done = statement.started ?? started ?? now }
            started = nil
        }
        state = statement.state
        progress = statement.state == .syncing ? statement.progress : Progress.none
        message = statement.message
        said = now
    }

    /// Whoever said that a run began has vanished without an end of it.
    package mutating func abandon(at now: Int64) {
        guard state == .syncing, isOwned else { return }
        var statement = MarksProxy.Statement(.error)
        statement.message = tr("The command ended without saying how it went.")
        take(statement, at: now)
    }

    /// Whether an item that changed last at this time was there as it is when the last successful run began.
    package func isDone(changed: Int64) -> Bool { done.map { changed < $0 } ?? false }

    /// The badge of an item in the folder.
    package func badge(isDone: Bool) -> Badge {
        if isDone { return .synced }
        return state == .syncing || state == .paused ? state : .pending
    }

    /// The badge of the folder itself.
    package func folderBadge(isDone: Bool) -> Badge { state == .synced && !isDone ? .pending : state }

    /// What was said, in words.
    package var words: String { message.isEmpty ? CommonBadge(state)?.label ?? "" : message }

    /// A line for the user that stays true: what was said, and when.
    package var datedText: String { tr("{1} ({2})", words, TimeText.text(said, "%Y-%m-%d %H:%M", in: .local)) }

    /// A line for the user with the present age of what it says.
    /// - Parameter isDone: Whether nothing that it is said of changed since.
    package func text(at now: Int64, isDone: Bool) -> String {
        if state == .synced, !isDone, let done {
            return tr("Changed since {1}", TimeText.text(done, "%Y-%m-%d %H:%M", in: .local))
        }
        let age = max(0, now - said) / 1_000_000
        // Translators: {2} is a time, such as “3 days”. Where “ago” needs another case, say “3 days old”.
        return age < 60 ? words : tr("{1} ({2} ago)", words, Quantity.time(UInt64(age)))
    }

    /// Its state as a number of the interface.
    package var folderState: FolderState {
        switch CommonBadge(state) {
        case .synced, .excluded, .onlineOnly: .idle
        case .syncing: .syncing
        case .pending, .conflict: .attention
        case .error: .error
        case .paused: .paused
        case nil: .unknown
        }
    }
}

extension Mark {
    /// The mark as a line of the file that keeps it.
    var line: String {
        let numbers = [String(said), started.map { "\($0)" } ?? "-", done.map { "\($0)" } ?? "-"]
        let words = [folder.uri, state.identifier, String(progress), isOwned ? "owned" : "free"] + numbers
        return (words + [PercentCoding.encode(segment: message.utf8)]).joined(separator: " ")
    }

    /// Reads a line; nil if it is not one.
    init?(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 8, let folder = try? ItemURI(words[0]), let said = Int64(words[4]),
            Badge.common.contains(Badge(words[1])), let progress = UInt8(words[2]), Progress.isValid(progress)
        else { return nil }
        self.init(folder, at: said)
        state = Badge(words[1])
        self.progress = progress
        isOwned = words[3] == "owned"
        started = Int64(words[5])
        done = Int64(words[6])
        message = PercentCoding.decode(words[7]).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
