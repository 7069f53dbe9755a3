internal import BadgeEngine
internal import BadgeService
internal import RoundelBus

extension HostedFolder {
    /// How the folder is.
    var state: FolderState { status.state }

    /// What is going on in the folder, in words: what its provider says, else what its state is called.
    var sentence: String {
        let words = FolderText.line(status.text)
        let text = words.isEmpty ? Texts.words(for: state) : words
        return percent.map { Texts.progress(text, percent: $0) } ?? text
    }

    /// How far the folder has come; nil if it does not sync or nobody knows.
    var percent: Int? { state == .syncing && status.progress <= 100 ? Int(status.progress) : nil }

    /// What people call the folder, in one line.
    var shortName: String { FolderText.line(displayName, limit: 48) }
}

/// Text of other programs, made fit for one line of a menu or a tooltip.
enum FolderText {
    /// One line of at most `limit` characters: what breaks lines or cannot be seen becomes a space.
    static func line(_ text: String, limit: Int = 120) -> String {
        var line = String(text.unicodeScalars.map { $0.properties.generalCategory.isShown ? Character($0) : " " })
        if line.count > limit { line = String(line.prefix(limit - 1)) + "…" }
        return line
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isShown: Bool {
        switch self {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
