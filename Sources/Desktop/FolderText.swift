internal import BadgeService
internal import RoundelBus
internal import Support

extension HostedFolder {
    /// The state of the folder.
    var state: FolderState { status.state }

    /// The folder's state in words: the provider's text, otherwise the name of the state.
    var sentence: String {
        let words = FolderText.line(status.text)
        let text = words.isEmpty ? Self.words(for: state) : words
        return percent.map { tr("{1}, {2} %", text, "\($0)") } ?? text
    }

    /// The progress of the folder; nil if it is not syncing or its progress is unknown.
    var percent: Int? { state == .syncing && status.progress <= 100 ? Int(status.progress) : nil }

    /// The name of the folder for the user, in one line.
    var shortName: String { FolderText.line(displayName, limit: 48) }

    /// The state of a folder, if its provider reports no text.
    private static func words(for state: FolderState) -> String {
        switch state {
        case .unknown: tr("Not running")
        case .idle: tr("Up to date")
        case .syncing: tr("Syncing")
        case .attention: tr("Needs your attention")
        case .error: tr("Something went wrong")
        case .paused: tr("Paused")
        }
    }
}

/// Makes text of other programs suitable for one line of a menu or a tooltip.
enum FolderText {
    /// One line of at most `limit` characters; line breaks and invisible characters become spaces.
    static func line(_ text: String, limit: Int = 120) -> String {
        var line = String(text.unicodeScalars.map { $0.properties.generalCategory.isShown ? Character($0) : " " })
        if line.count > limit { line = String(line.prefix(limit - 1)) + "…" }
        return line
    }

    /// The last line of a list of which not all is shown.
    static func more(_ count: Int) -> String { tr(count, one: "and 1 more", other: "and {1} more") }
}

extension Unicode.GeneralCategory {
    fileprivate var isShown: Bool {
        switch self {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
