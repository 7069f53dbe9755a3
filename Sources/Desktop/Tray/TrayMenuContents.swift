internal import BadgeEngine
internal import BadgeService
internal import RoundelBus

/// The lines of the tray's menu: how each folder is, then what the providers offer.
enum TrayMenuContents {
    /// Folders that have a line of their own.
    static let mostFolders = 16

    static func nodes(folders: [HostedFolder], items: [MenuItem]) -> [MenuNode] {
        var nodes = folders.prefix(mostFolders).map { folder in
            MenuNode(
                key: folder.folder.uri, label: Texts.line(folder: folder.shortName, state: folder.sentence),
                icon: icon(folder.state),
                choice: .open(folder.folder))
        }
        if folders.isEmpty { nodes.append(MenuNode(key: "empty", label: Texts.noFolder, enabled: false)) }
        if folders.count > mostFolders {
            let label = Texts.more(folders.count - mostFolders)
            nodes.append(MenuNode(key: "more", label: label, enabled: false))
        }
        guard !items.isEmpty else { return nodes }
        return nodes + [.separator("providers")] + MenuNode.nodes(items)
    }

    /// The ids of the providers that offer something.
    static func providers(of items: [MenuItem]) -> Set<String> {
        items.reduce(into: []) { ids, item in
            if !item.id.isEmpty { ids.insert(String(item.id.prefix { $0 != "/" })) }
            ids.formUnion(providers(of: item.children))
        }
    }

    private static func icon(_ state: FolderState) -> String {
        let badge: Badge? =
            switch state {
            case .unknown: nil
            case .idle: .synced
            case .syncing: .syncing
            case .attention: .conflict
            case .error: .error
            case .paused: .paused
            }
        return badge.map { "emblem-roundel-" + $0.identifier } ?? "folder"
    }
}
