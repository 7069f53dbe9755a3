internal import DBus
internal import Launching
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The worker as a provider of the badge service: answers for the folder that is concerned.
final class FolderProvider: Provider {
    private let book: FolderBook
    private let actions: FolderActions
    private let onHub: (_ isThere: Bool) -> Void

    /// - Parameter onHub: Called when the badge service has accepted the worker, and when it is gone.
    init(_ book: FolderBook, _ actions: FolderActions, onHub: @escaping (_ isThere: Bool) -> Void) {
        (self.book, self.actions, self.onHub) = (book, actions, onHub)
    }

    private var folders: FolderSet { book.folders }

    func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void) {
        answer(
            FolderMenus(folders: folders, hasWindow: actions.window.isThere).menu(request)
                + actions.copies.menu(request))
    }

    func activate(_ item: String, _ request: MenuRequest, finished: @escaping MenuAction.Finish) {
        actions.activate(item, request, finished: finished)
    }

    func beginObserving(_ directory: ItemURI) {
        for unit in folders.concerned(by: directory) { unit.badges.observe(directory) }
    }

    func endObserving(_ directory: ItemURI) {
        for unit in folders.concerned(by: directory) { unit.badges.endObserving(directory) }
    }

    func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void) {
        if let unit = folders.unit(holding: directory) {
            return answer(unit.badges.badges(in: directory, names: names))
        }
        // The directory may be the parent of folders: each name may be a folder of its own.
        var columns = BadgeColumns()
        for name in names {
            let item = directory.appending(name)
            if let unit = folders.unit(at: item) {
                columns.append(contentsOf: unit.badges.badges(in: directory, names: [name]))
            } else {
                columns.append(name, .none, [], Progress.none)
            }
        }
        answer(columns)
    }

    func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
    ) {
        if let unit = folders.unit(holding: directory) {
            let (columns, next) = unit.badges.directory(directory, after: after, limit: limit)
            return answer(columns, next)
        }
        var columns = BadgeColumns()
        let here = folders.all.filter { $0.uri.parent == directory }.sorted { $0.uri < $1.uri }
        for unit in here {
            columns.append(contentsOf: unit.badges.directory(directory, after: after, limit: limit).0)
        }
        answer(columns, nil)
    }

    func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void) {
        guard let unit = folders.unit(holding: item) else { return answer([:]) }
        unit.attributes.read(of: item, keys: keys, lastSynced: unit.reporter.lastSynced, answer: answer)
    }

    func itemsChanged(_ changes: RoundelBus.FolderChanges, accepted: @escaping () -> Void) {
        defer { accepted() }
        guard let unit = folders.unit(at: changes.folder) else { return }
        unit.changed(
            .local, directories: changes.directories.compactMap { RelativePath($0, below: unit.uri) },
            items: changes.items.compactMap { RelativePath($0, below: unit.uri) }, isOverflow: changes.overflow)
    }

    func registrationChanged(_ result: Result<Void, DBusError>?) {
        switch result {
        case .success: onHub(true)
        case .failure(let error): log(.error, "The badge service refuses the worker: \(error.message)")
        case nil: onHub(false)
        }
    }
}

extension BadgeColumns {
    fileprivate mutating func append(contentsOf other: BadgeColumns) {
        names += other.names
        badges += other.badges
        flags += other.flags
        progress += other.progress
    }
}
