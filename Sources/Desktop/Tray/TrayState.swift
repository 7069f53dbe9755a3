internal import BadgeService
internal import RoundelBus

/// How all folders together are: what the icon in the tray shows.
enum TrayState: String, CaseIterable {
    /// Nothing syncs: there are no folders, or nobody who syncs them.
    case none
    case synced
    case syncing
    case attention
    case error
    case paused

    /// The worst of the folders. One that is paused or unknown hides behind others that are well: the icon tells of
    /// what happens, and a folder that is paused on purpose should not keep it from that.
    init(_ folders: [HostedFolder]) {
        let states = Set(folders.map(\.state))
        let order: [(FolderState, TrayState)] = [
            (.error, .error), (.attention, .attention), (.syncing, .syncing), (.idle, .synced), (.paused, .paused),
        ]
        self = order.first { states.contains($0.0) }?.1 ?? .none
    }

    /// The state of the folders for which an overall state stands.
    var folderState: FolderState {
        switch self {
        case .none: .unknown
        case .synced: .idle
        case .syncing: .syncing
        case .attention: .attention
        case .error: .error
        case .paused: .paused
        }
    }

    /// The icon's name in the icon themes.
    var iconName: String { "roundel-tray-\(rawValue)" }
}
