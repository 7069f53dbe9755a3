internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The worker's menus.
struct FolderMenus {
    let folders: FolderSet
    /// Whether Roundel's window is installed, which can ask a person more than a menu.
    let hasWindow: Bool

    /// The maximum number of selected items to check for which actions apply, so that the menu appears in time. If more
    /// are selected, the menu contains only actions that apply to every item.
    private static let mostItems = 100
    /// The maximum number of folders in the toolbar's menu.
    private static let mostFolders = 32

    func menu(_ request: MenuRequest) -> [MenuItem] {
        switch request.kind {
        case .toolbar: return toolbarMenu(request)
        case .items: return itemsMenu(request)
        case .container, .sidebar, nil:
            guard let target = request.target, let unit = folders.unit(holding: target) else { return [] }
            return folderMenu(unit, target)
        }
    }

    // MARK: Items

    private func itemsMenu(_ request: MenuRequest) -> [MenuItem] {
        let selection = request.selection
        if selection.count == 1, let unit = folders.unit(at: selection[0]) {
            return folderMenu(unit, unit.uri)
        }
        let concerned = folders.concerned(by: MenuRequest(kind: .items, target: nil, selection: selection))
        guard !concerned.isEmpty else { return [] }
        var items = selectionItems(selection)
        items.append(syncItem(concerned))
        return items
    }

    /// The menu items that apply to the selection and not to its folder.
    private func selectionItems(_ selection: [ItemURI]) -> [MenuItem] {
        guard !selection.isEmpty, selection.count <= Self.mostItems else { return [] }
        var items: [MenuItem] = []
        if selection.allSatisfy({ item in folders.unit(holding: item)?.conflicts.contains(item) ?? false }) {
            items += [conflictMenu(selection).item(selection)].compactMap(\.self)
        }
        items += questionItems(selection)
        if selection.count == 1, let unit = folders.unit(holding: selection[0]), unit.showsRemote {
            let isThere = unit.items.remoteURI(of: selection[0]) != nil
            items.append(
                MenuItem(
                    id: MenuAction.showRemote.id(), label: tr("Show in Remote Folder"), icon: "folder-remote",
                    enabled: isThere))
        }
        if selection.count == 1 {
            items += pageItem(of: selection[0])
            items += shareItems(of: selection[0]) + lockItem(of: selection[0])
        }
        return contentsItems(selection) + items + excludeItems(selection)
    }

    /// The menu items that share an item of a folder. Where there is a window, that asks until when, with whom and how.
    private func shareItems(of item: ItemURI) -> [MenuItem] {
        guard let unit = folders.unit(holding: item), unit.uri != item, let pages = unit.pages else { return [] }
        let mayShare = pages.mayShare(item)
        var items: [MenuItem] = []
        if pages.givesShareLinks {
            items.append(
                MenuItem(
                    id: MenuAction.copyShareLink.id(), label: tr("Copy Share Link"), icon: "edit-copy",
                    enabled: mayShare))
        }
        if hasWindow, unit.shares?.givesShares == true {
            items.append(
                MenuItem(
                    id: MenuAction.share.id(), label: tr("Share…"), icon: "emblem-shared", enabled: mayShare))
        } else if pages.givesShareLinks {
            items.append(
                MenuItem(
                    id: MenuAction.copyWeekLink.id(), label: tr("Copy Share Link for a Week"), icon: "edit-copy",
                    enabled: mayShare))
        }
        return items
    }

    private func lockItem(of item: ItemURI) -> [MenuItem] {
        switch folders.unit(holding: item)?.locks?.offer(for: item) {
        case .lock?:
            // Translators: lock a file at the server, so that others do not change it.
            [MenuItem(id: MenuAction.lock.id(), label: tr("Lock"), icon: "changes-prevent")]
        case .unlock?:
            // Translators: end the lock of a file at the server.
            [MenuItem(id: MenuAction.unlock.id(), label: tr("Unlock"), icon: "changes-allow")]
        case nil: []
        }
    }

    /// The menu items about where contents are, of which only those are shown that would do something.
    private func contentsItems(_ places: [ItemURI], _ scope: MenuAction.Scope = .concerned) -> [MenuItem] {
        let shown = places.map { place in
            folders.unit(holding: place).flatMap { unit in
                unit.items.node(at: place).flatMap { unit.items.presentation(of: $0)?.contents }
            }
        }
        let known = shown.compactMap(\.self)
        return ContentsMenu(known).items(scope, isPinnedAbove: places.contains(where: isInPinned))
    }

    private func isInPinned(_ place: ItemURI) -> Bool {
        guard let unit = folders.unit(holding: place) else { return false }
        return unit.pinnedDirectory(above: place) != nil
    }

    private func conflictMenu(_ selection: [ItemURI]) -> ConflictMenu {
        var conflicts: [SyncConflict] = []
        for item in selection {
            guard let conflict = folders.unit(holding: item)?.conflicts.conflict(of: item),
                !conflicts.contains(where: { $0.copyURI == conflict.copyURI })
            else { continue }
            conflicts.append(conflict)
        }
        // A menu does not wait for a server: the next one says what it answers now.
        for conflict in conflicts.prefix(1) where conflict.author == nil && conflicts.count == 1 {
            folders.unit(holding: selection[0])?.conflicts.findAuthors(of: [conflict]) {}
        }
        let isServer = selection.contains { folders.unit(holding: $0)?.remote.directory == nil }
        return ConflictMenu(
            conflicts: conflicts, isServer: isServer, compares: CompareTool.installed != nil,
            now: WallClock.microseconds)
    }

    /// The questions that one item can be asked.
    private func questionItems(_ selection: [ItemURI]) -> [MenuItem] {
        guard selection.count == 1, let unit = folders.unit(holding: selection[0]), unit.uri != selection[0],
            let state = unit.items.node(at: selection[0]).flatMap({ unit.items.presentation(of: $0)?.state })
        else { return [] }
        switch state {
        case .error, .excluded, .pending, .paused:
            return [
                MenuItem(
                    id: MenuAction.why.id(), label: tr("Why Is This Not Synced?"), icon: "dialog-question")
            ]
        case .synced, .onlineOnly:
            return [MenuItem(id: MenuAction.history.id(), label: tr("History…"), icon: "document-open-recent")]
        case .conflict, .syncing: return []
        }
    }

    private func excludeItems(_ selection: [ItemURI]) -> [MenuItem] {
        let places = selection.map { item in folders.unit(holding: item).flatMap { exclusion(of: item, in: $0) } }
        let known = Set(places)
        guard known.count == 1, case let place?? = known.first else { return [] }
        switch place {
        case .excludable: return [MenuItem(id: MenuAction.exclude.id(), label: tr("Exclude from Syncing"))]
        case .includable: return [MenuItem(id: MenuAction.include.id(), label: tr("Sync Again"))]
        }
    }

    /// Whether an item can be excluded or included; nil if neither is possible.
    private func exclusion(of item: ItemURI, in unit: FolderUnit) -> ItemExclusion? {
        guard let node = unit.items.node(at: item), node != .root else { return nil }
        let state = unit.items.presentation(of: node)?.state
        return ItemExclusion(of: item, state: state, in: unit.settings, at: unit.uri)
    }

    // MARK: Folders

    /// - Parameter place: The folder itself or a directory in it, whose counterpart on the remote can be opened.
    private func folderMenu(_ unit: FolderUnit, _ place: ItemURI) -> [MenuItem] {
        var items = [syncItem([unit]), pauseItem(unit)]
        items += confirmItems(unit)
        items += contentsItems([place])
        if unit.remote.uri != nil {
            let isThere = unit.items.remoteURI(of: place) != nil
            items.append(
                MenuItem(
                    id: MenuAction.openRemote.id(), label: tr("Open Remote Folder"), icon: "folder-remote",
                    enabled: isThere))
        }
        return items + pageItem(of: place)
    }

    /// The menu item that shows the server's page of an item, if the server has pages.
    private func pageItem(of item: ItemURI) -> [MenuItem] {
        guard let pages = folders.unit(holding: item)?.pages, pages.showsItems else { return [] }
        return [
            MenuItem(
                id: MenuAction.showInBrowser.id(), label: tr("Show in Browser"), icon: "web-browser",
                enabled: pages.isThere(item))
        ]
    }

    private func syncItem(_ units: [FolderUnit], _ scope: MenuAction.Scope = .concerned) -> MenuItem {
        MenuItem(
            id: MenuAction.syncNow.id(scope), label: scope == .all ? tr("Sync All Folders Now") : tr("Sync Now"),
            icon: "view-refresh", enabled: units.contains { !$0.settings.paused })
    }

    private func pauseItem(_ unit: FolderUnit, _ scope: MenuAction.Scope = .concerned) -> MenuItem {
        unit.settings.paused
            ? MenuItem(id: MenuAction.resume.id(scope), label: tr("Resume Syncing"), icon: "media-playback-start")
            : pauseMenu(tr("Pause Syncing"), scope)
    }

    private func pauseMenu(_ label: String, _ scope: MenuAction.Scope, enabled: Bool = true) -> MenuItem {
        MenuItem(
            id: MenuAction.pauseMenu(scope), label: label, icon: "media-playback-pause", enabled: enabled,
            children: [
                MenuItem(id: MenuAction.pauseForAnHour.id(scope), label: tr("For an Hour"), enabled: enabled),
                MenuItem(id: MenuAction.pauseUntilTomorrow.id(scope), label: tr("Until Tomorrow"), enabled: enabled),
                MenuItem(id: MenuAction.pause.id(scope), label: tr("Until I Resume"), enabled: enabled),
            ])
    }

    /// The menu items to confirm or refuse a deletion, a restored remote or another root. They say what will be deleted, restored or
    /// kept, and where.
    private func confirmItems(_ unit: FolderUnit, _ scope: MenuAction.Scope = .concerned) -> [MenuItem] {
        let status = unit.status
        if status.stopReason == .remoteRestored {
            return [
                MenuItem(
                    id: MenuAction.unite.id(scope), label: tr("Keep Both Versions of What Differs"), icon: "edit-copy"),
                MenuItem(
                    id: MenuAction.acceptRemote.id(scope), label: tr("Take the Remote's Older Versions"),
                    icon: "edit-undo"),
            ]
        }
        if status.stopReason?.isStranger == true {
            return [
                MenuItem(
                    id: MenuAction.unite.id(scope), label: tr("Unite Both Sides, Delete Nothing"), icon: "edit-copy"),
                MenuItem(id: MenuAction.sameRoot.id(scope), label: tr("Go On: It Is the Same"), icon: "edit-undo"),
            ]
        }
        guard let waiting = status.waitingDeletions else { return [] }
        return [
            MenuItem(
                id: MenuAction.confirmDeletes.id(scope, of: waiting),
                label: Self.delete(waiting.count, on: waiting.side), icon: "edit-delete"),
            MenuItem(
                id: MenuAction.restoreDeleted.id(scope), label: Self.restore(waiting.count, on: waiting.side.other),
                icon: "edit-undo"),
        ]
    }

    // MARK: The toolbar

    private func toolbarMenu(_ request: MenuRequest) -> [MenuItem] {
        let units = folders.all
        guard !units.isEmpty else { return [] }
        var items = selectionItems(request.selection)
        if !items.isEmpty { items.append(MenuItem(id: "separator-selection", isSeparator: true)) }
        if units.count == 1 { return items + toolbarItems(units[0]) }
        for unit in units.prefix(Self.mostFolders) {
            items.append(
                MenuItem(
                    id: "folder:" + unit.settings.id, label: unit.settings.label, icon: "folder",
                    children: toolbarItems(unit)))
        }
        return items + [
            MenuItem(id: "separator-folders", isSeparator: true), syncItem(units, .all),
            pauseMenu(tr("Pause All Folders"), .all, enabled: units.contains { !$0.settings.paused }),
            MenuItem(
                id: MenuAction.resume.id(.all), label: tr("Resume All Folders"), icon: "media-playback-start",
                enabled: units.contains { $0.settings.paused }),
        ]
    }

    private func toolbarItems(_ unit: FolderUnit) -> [MenuItem] {
        let scope = MenuAction.Scope.folder(unit.settings.id)
        var items = [MenuItem(id: MenuAction.openFolder.id(scope), label: tr("Open Folder"), icon: "folder-open")]
        if unit.remote.uri != nil {
            items.append(
                MenuItem(id: MenuAction.openRemote.id(scope), label: tr("Open Remote Folder"), icon: "folder-remote"))
        }
        return items + [syncItem([unit], scope), pauseItem(unit, scope)] + confirmItems(unit, scope)
    }

    private static func delete(_ count: Int, on side: Side) -> String {
        side == .local
            ? tr(count, one: "Delete 1 Item on This Computer", other: "Delete {1} Items on This Computer")
            : tr(count, one: "Delete 1 Item on the Remote", other: "Delete {1} Items on the Remote")
    }

    private static func restore(_ count: Int, on side: Side) -> String {
        side == .local
            ? tr(count, one: "Restore 1 Item on This Computer", other: "Restore {1} Items on This Computer")
            : tr(count, one: "Restore 1 Item on the Remote", other: "Restore {1} Items on the Remote")
    }
}
