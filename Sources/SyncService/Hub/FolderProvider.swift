internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

extension Worker: Provider {
    func beginObserving(_ directory: ItemURI) {
        for unit in concerned(by: directory) { unit.observe(directory) }
    }

    func endObserving(_ directory: ItemURI) {
        for unit in concerned(by: directory) { unit.endObserving(directory) }
    }

    func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void) {
        if let unit = unit(holding: directory) { return answer(unit.badges(in: directory, names: names)) }
        // The directory may be the parent of folders: each name may be a folder of its own.
        var columns = BadgeColumns()
        for name in names {
            let item = directory.appending(name)
            if let unit = units.first(where: { $0.uri == item }) {
                columns.append(contentsOf: unit.badges(in: directory, names: [name]))
            } else {
                columns.append(name, .none, [], Progress.none)
            }
        }
        answer(columns)
    }

    func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
    ) {
        if let unit = unit(holding: directory) {
            let (columns, next) = unit.directory(directory, after: after, limit: limit)
            return answer(columns, next)
        }
        var columns = BadgeColumns()
        let here = units.filter { $0.uri.parent == directory }.sorted { $0.uri < $1.uri }
        for unit in here {
            columns.append(contentsOf: unit.directory(directory, after: after, limit: limit).0)
        }
        answer(columns, nil)
    }

    func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void) {
        guard let unit = unit(holding: item) else { return answer([:]) }
        unit.attributes(of: item, keys: keys, answer: answer)
    }

    func itemsChanged(_ changes: RoundelBus.FolderChanges, accepted: @escaping () -> Void) {
        defer { accepted() }
        guard let unit = units.first(where: { $0.uri == changes.folder }) else { return }
        unit.changed(
            .local, directories: changes.directories.compactMap { RelativePath($0, below: unit.uri) },
            items: changes.items.compactMap { RelativePath($0, below: unit.uri) }, isOverflow: changes.overflow)
    }

    func registrationChanged(_ result: Result<Void, DBusError>?) {
        switch result {
        case .success: serviceIsThere()
        case .failure(let error): log(.error, Words.refused(error.message))
        case nil: serviceIsGone()
        }
    }

    /// The folders affected when a directory is observed: the one that contains it, and those directly in it.
    private func concerned(by directory: ItemURI) -> [FolderUnit] {
        units.filter { directory.isWithin($0.uri) || $0.uri.parent == directory }
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
