internal import RoundelBus
internal import Support
internal import SyncEngine

/// The menu items with which items are copied out of synced folders and into them.
struct CopyMenu {
    /// A folder that is synced.
    struct Folder: Equatable {
        var id: String
        var label: String
        var uri: ItemURI
    }

    /// In the order in which they were added.
    let folders: [Folder]

    /// The maximum number of folders in the toolbar's menu.
    private static let mostFolders = 32

    func items(_ request: MenuRequest) -> [MenuItem] {
        switch request.kind {
        case .items: copyOut(request.selection)
        case .container, .sidebar: request.target.map(addHere) ?? []
        case .toolbar: copyOut(request.selection) + toolbarAddition(request.target)
        case nil: []
        }
    }

    /// The deepest folder that contains an item.
    private func folder(holding item: ItemURI) -> Folder? {
        folders.filter { item.isWithin($0.uri) }.max { $0.uri.path.utf8.count < $1.uri.path.utf8.count }
    }

    private func copyOut(_ selection: [ItemURI]) -> [MenuItem] {
        guard let first = selection.first.flatMap(folder(holding:)),
            selection.allSatisfy({ folder(holding: $0) == first })
        else { return [] }
        return [
            MenuItem(id: CopyAction.copyOut.id, label: tr("Copy Out of “{1}”…", first.label), icon: "document-save-as")
        ]
    }

    private func addHere(_ directory: ItemURI) -> [MenuItem] {
        guard let folder = folder(holding: directory) else { return [] }
        return [addition(to: directory == folder.uri ? folder.label : directory.label, in: nil)]
    }

    /// In the toolbar's menu, the directory that is shown is one of a folder, or none.
    private func toolbarAddition(_ shown: ItemURI?) -> [MenuItem] {
        let here = shown.flatMap(folder(holding:))
        func item(_ folder: Folder) -> MenuItem {
            let label = folder == here ? shown.map { $0 == folder.uri ? folder.label : $0.label } : nil
            return addition(to: label ?? folder.label, in: folder.id)
        }
        if folders.count < 2 { return folders.map(item) }
        return [
            MenuItem(
                id: "add", label: tr("Add to Synced Folder"), icon: "list-add",
                children: folders.prefix(Self.mostFolders).map(item))
        ]
    }

    private func addition(to label: String, in folder: String?) -> MenuItem {
        MenuItem(
            id: "add" + (folder.map { ":" + $0 } ?? "-here"), label: tr("Add to “{1}”", label), icon: "list-add",
            children: CopyAction.additions.map { way, directories in
                MenuItem(
                    id: CopyAction.add(way, directories: directories, folder: folder).id,
                    label: Self.label(way, directories))
            })
    }

    private static func label(_ way: CopyTask.Way, _ directories: Bool) -> String {
        switch way {
        case .copy: directories ? tr("Copy Folders…") : tr("Copy Files…")
        case .move: directories ? tr("Move Folders…") : tr("Move Files…")
        }
    }
}
