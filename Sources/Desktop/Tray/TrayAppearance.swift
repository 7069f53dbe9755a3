internal import BadgeService
internal import RoundelBus
internal import Support

/// Everything that the item in the tray shows besides its menu.
struct TrayAppearance: Equatable {
    /// Decides the icon.
    let state: TrayState
    /// The title of the item. It shows the folders of all providers; with this name, users can identify or remove it.
    static let title = "Roundel"
    /// The first line of the tooltip: a sentence about the current state.
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

    /// The maximum number of folders in the tooltip.
    static let mostLines = 8

    init(folders: [HostedFolder]) {
        state = TrayState(folders)
        headline = tr("{1} \u{2013} {2}", Self.title, Self.headline(state, folders))
        var lines = folders.prefix(Self.mostLines).map { tr("{1}: {2}", $0.shortName, $0.sentence) }
        if folders.count > Self.mostLines { lines.append(FolderText.more(folders.count - Self.mostLines)) }
        // According to the specification, the text of a tooltip is markup.
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
        case .none: return folders.isEmpty ? tr("No folder is synced yet") : tr("No sync program is running")
        case .paused: return tr("Syncing is paused")
        case .synced:
            let others = folders.count - concerned.count
            return others == 0
                ? tr("Everything is up to date")
                : tr(
                    others, one: "Up to date; {1} folder is not syncing",
                    other: "Up to date; {1} folders are not syncing")
        case .syncing:
            let percent = progress(concerned)
            return concerned.count == 1
                ? Self.syncing(concerned[0].shortName, percent: percent)
                : Self.syncing(concerned.count, percent: percent)
        case .attention, .error:
            if concerned.count == 1 {
                return tr("{1}: {2}", concerned[0].shortName, concerned[0].sentence)
            }
            return state == .error
                ? tr(concerned.count, one: "{1} folder has errors", other: "{1} folders have errors")
                : Self.needAttention(concerned.count)
        }
    }

    /// Mean progress of the folders that report one, in percent. Sizes are unknown, so they are not weighted.
    private static func progress(_ folders: [HostedFolder]) -> Int? {
        let known = folders.map(\.status.progress).filter { $0 <= 100 }
        return known.isEmpty ? nil : known.reduce(0) { $0 + Int($1) } / known.count
    }

    /// One folder syncs.
    static func syncing(_ folder: String, percent: Int?) -> String {
        guard let percent else { return tr("Syncing {1}", folder) }
        return tr("Syncing {1}, {2} %", folder, "\(percent)")
    }

    /// Several folders sync.
    static func syncing(_ folders: Int, percent: Int?) -> String {
        guard let percent else {
            return tr(folders, one: "Syncing {1} folder", other: "Syncing {1} folders")
        }
        return tr(folders, one: "Syncing {1} folder, {2} %", other: "Syncing {1} folders, {2} %", "\(percent)")
    }

    /// Several folders need the user.
    static func needAttention(_ folders: Int) -> String {
        tr(folders, one: "{1} folder needs your attention", other: "{1} folders need your attention")
    }
}
