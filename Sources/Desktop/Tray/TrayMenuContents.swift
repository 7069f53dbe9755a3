internal import BadgeEngine
internal import BadgeService
internal import RoundelBus

/// The lines of the tray's menu: how each folder is, what waits for consent, then what the providers offer.
enum TrayMenuContents {
    /// Folders that have a line of their own.
    static let mostFolders = 16

    /// Folders that wait for consent that have a line of their own.
    static let mostWaiting = 8

    /// - Parameter waiting: the folders that wait for consent, each with the line that gives it.
    static func nodes(
        folders: [HostedFolder], waiting: [(folder: ItemURI, line: String)] = [], items: [MenuItem]
    ) -> [MenuNode] {
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
        if !waiting.isEmpty {
            nodes.append(.separator("waiting"))
            nodes += waiting.prefix(mostWaiting).map { folder, line in
                MenuNode(
                    key: "allow " + folder.uri, label: line, icon: "dialog-question", choice: .allow(folder))
            }
            if waiting.count > mostWaiting {
                nodes.append(
                    MenuNode(key: "more waiting", label: Texts.more(waiting.count - mostWaiting), enabled: false))
            }
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
