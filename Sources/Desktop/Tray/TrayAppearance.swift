internal import BadgeService
internal import RoundelBus

/// Everything that the item in the tray shows beside its menu.
struct TrayAppearance: Equatable {
    /// Decides the icon.
    let state: TrayState
    /// What the item is called.
    let title: String
    /// The first line of the tooltip: what is going on, in one sentence.
    let headline: String
    /// The rest of the tooltip: a line for each folder, as markup.
    let details: String
    /// The property `Status`: whether the item is of interest.
    let status: Status

    /// The values of the property `Status`.
    enum Status: String {
        /// It may be hidden away.
        case passive = "Passive"
        case active = "Active"
        case needsAttention = "NeedsAttention"
    }

    /// Folders that the tooltip names.
    static let mostLines = 8

    /// - Parameter title: what the toolbar button is called.
    init(folders: [HostedFolder], title: String) {
        state = TrayState(folders)
        self.title = title.isEmpty ? "Roundel" : title
        headline = Self.headline(state, folders)
        var lines = folders.prefix(Self.mostLines).map { "\($0.shortName): \($0.sentence)" }
        if folders.count > Self.mostLines { lines.append("and \(folders.count - Self.mostLines) more") }
        // The specification has the text of a tooltip as markup.
        details = lines.map(\.escapedForMarkup).joined(separator: "\n")
        status =
            switch state {
            case .attention, .error: .needsAttention
            case .none: folders.isEmpty ? .passive : .active
            case .synced, .syncing, .paused: .active
            }
    }

    private static func headline(_ state: TrayState, _ folders: [HostedFolder]) -> String {
        let concerned = folders.filter { $0.state == state.folderState }
        switch state {
        case .none: return folders.isEmpty ? "No folder is synced yet" : "Nothing is syncing these folders now"
        case .paused: return "Syncing is paused"
        case .synced:
            let others = folders.count - concerned.count
            return others == 0 ? "Everything is up to date" : "Up to date; \(counted(others)) not syncing"
        case .syncing:
            let name = concerned.count == 1 ? concerned[0].shortName : counted(concerned.count)
            return "Syncing \(name)" + (progress(concerned).map { ", \($0) %" } ?? "")
        case .attention, .error:
            if concerned.count == 1 { return "\(concerned[0].shortName): \(concerned[0].sentence)" }
            let what = state == .error ? "have errors" : "need your attention"
            return "\(counted(concerned.count)) \(what)"
        }
    }

    private static func counted(_ folders: Int) -> String { folders == 1 ? "1 folder" : "\(folders) folders" }

    /// How far the folders have come that say so, in percent; how large each is, nobody tells.
    private static func progress(_ folders: [HostedFolder]) -> Int? {
        let known = folders.map(\.status.progress).filter { $0 <= 100 }
        return known.isEmpty ? nil : known.reduce(0) { $0 + Int($1) } / known.count
    }
}
