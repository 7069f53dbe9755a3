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
        headline = Texts.said(by: Self.title, Self.headline(state, folders))
        var lines = folders.prefix(Self.mostLines).map { Texts.line(folder: $0.shortName, state: $0.sentence) }
        if folders.count > Self.mostLines { lines.append(Texts.more(folders.count - Self.mostLines)) }
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
        case .none: return folders.isEmpty ? Texts.noFolder : Texts.nothingSyncs
        case .paused: return Texts.paused
        case .synced:
            let others = folders.count - concerned.count
            return others == 0 ? Texts.upToDate : Texts.upToDate(except: others)
        case .syncing:
            let percent = progress(concerned)
            return concerned.count == 1
                ? Texts.syncing(concerned[0].shortName, percent: percent)
                : Texts.syncing(concerned.count, percent: percent)
        case .attention, .error:
            if concerned.count == 1 {
                return Texts.line(folder: concerned[0].shortName, state: concerned[0].sentence)
            }
            return state == .error ? Texts.haveErrors(concerned.count) : Texts.needAttention(concerned.count)
        }
    }

    /// Mean progress of the folders that report one, in percent. Sizes are unknown, so they are not weighted.
    private static func progress(_ folders: [HostedFolder]) -> Int? {
        let known = folders.map(\.status.progress).filter { $0 <= 100 }
        return known.isEmpty ? nil : known.reduce(0) { $0 + Int($1) } / known.count
    }
}
