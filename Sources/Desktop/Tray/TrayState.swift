internal import BadgeService
internal import RoundelBus

/// The combined state of all folders, which the tray's icon shows.
enum TrayState: String, CaseIterable {
    /// Nothing is synced: there are no folders, or no provider for them.
    case none
    case synced
    case syncing
    case attention
    case error
    case paused

    /// The worst state of the folders. Paused or unknown folders are ignored if others are well: the icon shows current
    /// activity, and a folder that is paused on purpose should not hide it.
    init(_ folders: [HostedFolder]) {
        let states = Set(folders.map(\.state))
        let order: [(FolderState, TrayState)] = [
            (.error, .error), (.attention, .attention), (.syncing, .syncing), (.idle, .synced), (.paused, .paused),
        ]
        self = order.first { states.contains($0.0) }?.1 ?? .none
    }

    /// The state of a folder that corresponds to the combined state.
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

    /// The name of the icon in the icon themes.
    var iconName: String { "roundel-tray-\(rawValue)" }
}
