internal import BadgeCore
internal import DBus
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// The actions of the worker's menus, by their ids.
private enum MenuAction: String {
    case syncNow = "sync-now"
    case pause
    case resume
    case openFolder = "open-folder"
    case openRemote = "open-remote"
    case mine = "resolve-mine"
    case theirs = "resolve-theirs"
    case both = "resolve-both"
    case confirmDeletes = "confirm-deletes"
}

extension SyncService {
    func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void) {
        let units = concerned(by: request)
        switch request.kind {
        case .toolbar: answer(toolbarMenu(units))
        case .items, .container, .sidebar, nil:
            guard let unit = units.first else { return answer([]) }
            answer(itemMenu(unit, request))
        }
    }

    func activate(
        _ item: String, _ request: MenuRequest, finished: @escaping (Result<Void, RoundelError>) -> Void
    ) {
        let parts = item.split(separator: ":", maxSplits: 1).map(String.init)
        guard let first = parts.first, let action = MenuAction(rawValue: first) else {
            return finished(.failure(RoundelError(.unknownItem, "There is no action “\(item)”.")))
        }
        // The toolbar's items carry the id of their folder.
        var units = concerned(by: request)
        if parts.count == 2 { units = self.units.filter { $0.settings.id == parts[1] } }
        do {
            try perform(action, request, units, finished)
        } catch {
            let sentence = (error as? WorkerError)?.message ?? "\(error)"
            finished(.failure(RoundelError(.providerFailed, sentence)))
        }
    }

    // MARK: Building

    private func itemMenu(_ unit: FolderUnit, _ request: MenuRequest) -> [MenuItem] {
        var items: [MenuItem] = []
        if request.kind == .items, request.selection.contains(where: { isInConflict($0) }) {
            items.append(resolveMenu())
        }
        items.append(MenuItem(id: MenuAction.syncNow.rawValue, label: "Sync Now", icon: "view-refresh"))
        items.append(pauseItem(unit))
        if unit.needs == "confirm-deletes" {
            items.append(MenuItem(id: MenuAction.confirmDeletes.rawValue, label: "Confirm Deletions"))
        }
        if unit.remoteAddress.uri != nil {
            items.append(
                MenuItem(id: MenuAction.openRemote.rawValue, label: "Open Remote Folder", icon: "folder-remote"))
        }
        return items
    }

    private func isInConflict(_ item: ItemURI) -> Bool {
        guard let unit = unit(holding: item), let node = unit.node(of: item) else { return false }
        return (try? unit.folder.store.status(node))?.state == .conflict
    }

    private func resolveMenu() -> MenuItem {
        MenuItem(
            id: "resolve", label: "Resolve Conflict", icon: "emblem-roundel-conflict",
            children: [
                MenuItem(id: MenuAction.mine.rawValue, label: "Keep My Version"),
                MenuItem(id: MenuAction.theirs.rawValue, label: "Keep the Remote Version"),
                MenuItem(id: MenuAction.both.rawValue, label: "Keep Both"),
            ], rules: MenuRules(kinds: [MenuKind.items.rawValue], min: 1, badges: [.conflict], directories: false))
    }

    private func pauseItem(_ unit: FolderUnit, suffix: String = "") -> MenuItem {
        unit.settings.paused
            ? MenuItem(id: MenuAction.resume.rawValue + suffix, label: "Resume Syncing", icon: "media-playback-start")
            : MenuItem(id: MenuAction.pause.rawValue + suffix, label: "Pause Syncing", icon: "media-playback-pause")
    }

    private func toolbarMenu(_ concerned: [FolderUnit]) -> [MenuItem] {
        guard !units.isEmpty else { return [] }
        var items = [MenuItem(id: MenuAction.syncNow.rawValue, label: "Sync Now", icon: "view-refresh")]
        items.append(
            units.contains { !$0.settings.paused }
                ? MenuItem(id: MenuAction.pause.rawValue, label: "Pause Syncing", icon: "media-playback-pause")
                : MenuItem(id: MenuAction.resume.rawValue, label: "Resume Syncing", icon: "media-playback-start"))
        items.append(MenuItem(id: "separator", isSeparator: true))
        for unit in units.prefix(32) {
            let suffix = ":" + unit.settings.id
            items.append(
                MenuItem(
                    id: "folder" + suffix, label: unit.settings.label, icon: "folder",
                    children: [
                        MenuItem(
                            id: MenuAction.openFolder.rawValue + suffix, label: "Open Folder", icon: "folder-open"),
                        MenuItem(id: MenuAction.syncNow.rawValue + suffix, label: "Sync Now", icon: "view-refresh"),
                        pauseItem(unit, suffix: suffix),
                    ]))
        }
        return items
    }

    // MARK: Acting

    private func perform(
        _ action: MenuAction, _ request: MenuRequest, _ concerned: [FolderUnit],
        _ finished: @escaping (Result<Void, RoundelError>) -> Void
    ) throws {
        switch action {
        case .syncNow: return syncNow(concerned, finished)
        case .pause, .resume:
            for unit in concerned {
                unit.setPaused(action == .pause)
                try keep(unit)
            }
        case .confirmDeletes: for unit in concerned { unit.confirmDeletes() }
        case .openFolder: return open(concerned.map(\.uri.uri), request, finished)
        case .openRemote:
            return open(
                concerned.prefix(1).compactMap { unit in
                    request.target.flatMap { unit.remoteURI(of: $0) } ?? unit.remoteAddress.uri
                }, request, finished)
        case .mine: try resolve(request.selection, .mine)
        case .theirs: try resolve(request.selection, .theirs)
        case .both: try resolve(request.selection, .both)
        }
        finished(.success(()))
    }

    private func syncNow(_ units: [FolderUnit], _ finished: @escaping (Result<Void, RoundelError>) -> Void) {
        let active = units.filter { !$0.settings.paused }
        guard !active.isEmpty else {
            return finished(.failure(RoundelError(.providerFailed, "Syncing is paused; resume it first.")))
        }
        var remaining = active.count
        for unit in active {
            service(flushes: unit) {
                unit.sync { _ in
                    remaining -= 1
                    if remaining == 0 { finished(.success(())) }
                }
            }
        }
    }

    private func resolve(_ items: [ItemURI], _ choice: ConflictChoice) throws {
        for item in items {
            guard let unit = unit(holding: item) else { continue }
            try unit.resolve(item, choice)
        }
    }

    /// Shows folders in the person's file manager, with the token that lets its window take the focus.
    private func open(
        _ uris: [String], _ request: MenuRequest, _ finished: @escaping (Result<Void, RoundelError>) -> Void
    ) {
        bus.call(
            "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1",
            "ShowFolders",
            { writer in
                try writer.append(strings: uris)
                try writer.append(request.options.activationToken ?? "")
            }
        ) { result in
            finished(
                result.map { _ in }.mapError {
                    RoundelError(.providerFailed, "No file manager could be opened: \($0.message)")
                })
        }
    }

    private func concerned(by request: MenuRequest) -> [FolderUnit] {
        let places = request.selection + (request.target.map { [$0] } ?? [])
        if places.isEmpty { return units }
        var found: [FolderUnit] = []
        for place in places {
            guard let unit = unit(holding: place), !found.contains(where: { $0 === unit }) else { continue }
            found.append(unit)
        }
        return found
    }
}

extension FolderUnit {
    /// Takes a person's decision on the conflict that an item is part of.
    /// - Throws: `NoConflict`.
    func resolve(_ item: ItemURI, _ choice: ConflictChoice) throws(WorkerError) {
        guard let node = node(of: item), presentation(of: node)?.state == .conflict,
            (try? folder.store.status(node)) != nil
        else { throw WorkerError(.noConflict, "“\(item.uri)” is not in conflict; see roundel conflicts.") }
        folder.command(.resolve(node, choice))
    }
}
