internal import BadgeService
internal import RoundelBus
internal import Support

/// The lines of the tray's menu: the states of the folders, the sync engines and folders that wait for an answer, then
/// the items of the providers.
enum TrayMenuContents {
    /// The maximum number of folders with a line of their own.
    static let mostFolders = 16

    /// The maximum number of folders waiting for consent with a line of their own.
    static let mostWaiting = 8

    /// - Parameters:
    ///   - newEngines: The IDs of the sync engines that wait for the person's answer.
    ///   - waiting: The folders that wait for consent, each with the label of its line.
    static func nodes(
        folders: [HostedFolder], newEngines: [String] = [], waiting: [(folder: ItemURI, line: String)] = [],
        items: [MenuItem]
    ) -> [MenuNode] {
        var nodes = folders.prefix(mostFolders).map { folder in
            MenuNode(
                key: folder.folder.uri, label: tr("{1}: {2}", folder.shortName, folder.sentence),
                icon: icon(folder.state),
                choice: .open(folder.folder))
        }
        if folders.isEmpty {
            nodes.append(MenuNode(key: "empty", label: tr("No folder is synced yet"), enabled: false))
        }
        if folders.count > mostFolders {
            let label = FolderText.more(folders.count - mostFolders)
            nodes.append(MenuNode(key: "more", label: label, enabled: false))
        }
        if !newEngines.isEmpty {
            let label =
                newEngines.count == 1
                ? tr("A new sync engine waits for your answer…")
                : tr("{1} new sync engines wait for your answer…", "\(newEngines.count)")
            let subject = newEngines.count == 1 ? newEngines[0] : ""
            nodes.append(.separator("new engines"))
            nodes.append(
                MenuNode(key: "answer", label: label, icon: "dialog-question", choice: .engines(subject)))
        }
        if !waiting.isEmpty {
            nodes.append(.separator("waiting"))
            nodes += waiting.prefix(mostWaiting).map { folder, line in
                MenuNode(
                    key: "allow " + folder.uri, label: line, icon: "dialog-question", choice: .allow(folder))
            }
            if waiting.count > mostWaiting {
                let label = FolderText.more(waiting.count - mostWaiting)
                nodes.append(MenuNode(key: "more waiting", label: label, enabled: false))
            }
        }
        guard !items.isEmpty else { return nodes }
        return nodes + [.separator("providers")] + MenuNode.nodes(items)
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
