package import DBus
internal import Launching
package import RoundelBus
internal import Support
package import SystemPackage

/// Folders that scripts speak of, as a provider: shows what was said last, and what changed since a run succeeded.
package final class MarksEngine: Provider, RunningEngine {
    private let bus: Connection
    private var book: MarkBook
    private var link: ProviderLink?
    private var folders: FoldersExport?
    private var marks: Registration?
    private var answers: BackgroundWork<Answer>?
    private var queue = JobQueue<ItemURI, ItemURI?>()
    private lazy var alarm = bus.loop.makeTimer { [unowned self] in ask() }
    private var places: [ItemURI: Place] = [:]
    /// Those who said that a run began, by the folder.
    private var runners: [ItemURI: Registration] = [:]

    private struct Place {
        var isObserved = false
        var waiting: [() -> Void] = []
        var items: [(name: ItemName, isDone: Bool)]?
    }

    private struct Answer: Sendable {
        let directory: ItemURI
        let items: [(name: ItemName, isDone: Bool)]
        let duration: Duration
    }

    /// Reads what was said, and exports the engine: the bus delivers the call that started it as soon as it owns its name.
    /// - Parameter file: Where the marks are kept.
    package init(on bus: Connection, file: FilePath) throws {
        self.bus = bus
        book = MarkBook(file)
        answers = try BackgroundWork(bus.loop, name: "marks") { [unowned self] in learn($0) }
        folders = try FoldersExport(self, on: bus, at: MarksProxy.path)
        marks = try bus.export(interface.closedToSandboxes(SandboxGate(bus: bus)), at: MarksProxy.path)
        // Who said that a run began does not know this process.
        for mark in book.marks { abandon(mark.folder) }
    }

    /// Registers with the badge service, now or when it runs; the bus name must be owned.
    package func start() throws {
        let path = MarksProxy.path.rawValue
        let registration = ProviderRegistration(
            object: path, id: MarksProxy.provider, name: tr("Scripts"), icon: "org.roundel.Roundel",
            services: [EngineInterface.folders.name: path, MarksProxy.interface: path])
        let link = try ProviderLink(self, registration: registration, on: bus)
        self.link = link
        setFolders { _ in }
        try link.start()
    }

    package func stop() { link?.stop() }

    private var interface: Interface {
        let extra: [Interface.Argument] = [("extra", "a{sv}")]
        return Interface(
            MarksProxy.interface,
            methods: [
                Interface.Method(
                    "Mark", in: [("folder_uri", "s"), ("state", "s"), ("options", "a{sv}")], out: extra
                ) { [unowned self] call in
                    var reader = call.reader
                    let folder = try reader.readItemURI()
                    let state = try reader.readString()
                    guard let statement = MarksProxy.Statement(state: state, options: try reader.readOptions()) else {
                        throw DBusError(
                            RoundelError(
                                .invalidArguments, tr("“{1}” is no state, or its progress no percentage.", state)))
                    }
                    take(statement, of: folder, from: call.sender) { result in
                        switch result {
                        case .success: call.reply { try $0.append(map: [:]) }
                        case .failure(let error): call.fail(DBusError(error))
                        }
                    }
                }
            ], properties: [.version])
    }

    // MARK: Statements

    private func take(
        _ statement: MarksProxy.Statement, of folder: ItemURI, from caller: String,
        answer: @escaping (Result<Void, RoundelError>) -> Void
    ) {
        let isNew = book[folder] == nil
        if isNew, book.marks.contains(where: { folder.isWithin($0.folder) || $0.folder.isWithin(folder) }) {
            return answer(
                .failure(
                    RoundelError(.folderTaken, tr("“{1}” lies above or below a marked folder.", folder.displayName))))
        }
        var mark = book[folder] ?? Mark(folder, at: Self.now)
        mark.take(statement, at: Self.now)
        do throws(Errno) {
            try book.keep(mark)
        } catch {
            return answer(.failure(RoundelError(.failed, tr("The state cannot be saved: {1}.", "\(error)"))))
        }
        if statement.state != .syncing { follow(folder, nil) } else if statement.isOwned { follow(folder, caller) }
        guard isNew else {
            report(mark)
            return answer(.success(()))
        }
        folders?.foldersChanged()
        setFolders { [unowned self] result in
            guard case .failure(let error) = result, link?.isRegistered ?? false else {
                link?.flush(folder) { [weak self] _ in self?.refresh(within: folder) }
                return answer(.success(()))
            }
            try? book.forget(folder)
            setFolders { _ in }
            answer(.failure(RoundelError(error.roundelCode ?? .failed, error.message)))
        }
        if !(link?.isRegistered ?? false) { answer(.success(())) }
    }

    /// Follows whoever runs something in a folder; nobody if nil.
    private func follow(_ folder: ItemURI, _ caller: String?) {
        runners.removeValue(forKey: folder)?.cancel()
        guard let caller else { return }
        runners[folder] = try? bus.watchName(caller) { [weak self] owner in
            if owner == nil { self?.abandon(folder) }
        }
    }

    private func abandon(_ folder: ItemURI) {
        runners.removeValue(forKey: folder)?.cancel()
        guard var mark = book[folder] else { return }
        mark.abandon(at: Self.now)
        guard mark != book[folder] else { return }
        do throws(Errno) {
            try book.keep(mark)
        } catch {
            log(.warning, "The state of \(folder.uri) cannot be saved: \(error)")
        }
        report(mark)
    }

    // MARK: Provider

    package func registrationChanged(_ result: Result<Void, DBusError>?) {
        switch result {
        case .success:
            for mark in book.marks {
                report(mark)
                link?.flush(mark.folder) { [weak self] _ in self?.refresh(within: mark.folder) }
            }
        case .failure(let error): log(.warning, "\(error.message)")
        case nil: break
        }
    }

    package func beginObserving(_ directory: ItemURI) {
        places[directory, default: Place()].isObserved = true
        want(directory)
        ask()
    }

    package func endObserving(_ directory: ItemURI) {
        places[directory]?.isObserved = false
        guard places[directory]?.waiting.isEmpty ?? false else { return }
        places[directory] = nil
        queue.drop(directory)
    }

    package func requestBadges(
        in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void
    ) {
        whenKnown(directory) { [unowned self] in answer(columns(directory, names)) }
    }

    package func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
    ) {
        whenKnown(directory) { [unowned self] in
            let names = places[directory]?.items?.map(\.name) ?? []
            let rest = after.map { after in names.drop { !(after < $0) } } ?? names[...]
            let page = Array(rest.prefix(limit))
            answer(columns(directory, page), rest.count > page.count ? page.last : nil)
        }
    }

    package func attributes(
        of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void
    ) {
        guard let mark = book.mark(above: item), let parent = item.parent, let name = item.name else {
            return answer([:])
        }
        whenKnown(parent) { [unowned self] in
            let badge = columns(parent, [name]).badges[0]
            let isDone = places[parent]?.items?.first { $0.name == name }?.isDone ?? true
            var attributes: [String: AttributeValue] = [
                "state": .string(badge.identifier), "label": .string(CommonBadge(badge)?.label ?? ""),
                "message": .string(mark.text(at: Self.now, isDone: isDone)),
            ]
            if let done = mark.done { attributes["last-synced"] = .signed(done) }
            answer(attributes)
        }
    }

    package func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void) {
        if changes.overflow { refresh(within: changes.folder) }
        let changed = changes.directories + changes.items
        for place in places.keys where changed.contains(where: { $0.isWithin(place) }) { want(place) }
        ask()
        accepted()
    }

    // MARK: What changed since

    private func columns(_ directory: ItemURI, _ names: [ItemName]) -> BadgeColumns {
        // A directory that changes while it is read may give a name twice.
        let known = Dictionary(places[directory]?.items?.map { ($0.name, $0.isDone) } ?? []) { $1 }
        var columns = BadgeColumns()
        for name in names {
            let item = directory.appending(name)
            guard let mark = book.mark(above: item), let isDone = known[name] else {
                columns.append(name, .none, [], Progress.none)
                continue
            }
            let isFolder = mark.folder == item
            columns.append(
                name, isFolder ? mark.folderBadge(isDone: isDone) : mark.badge(isDone: isDone), [],
                isFolder ? mark.progress : Progress.none)
        }
        return columns
    }

    private func whenKnown(_ directory: ItemURI, _ body: @escaping () -> Void) {
        if places[directory]?.items != nil { return body() }
        places[directory, default: Place()].waiting.append(body)
        if !queue.contains(directory) { want(directory) }
        ask()
    }

    private func want(_ directory: ItemURI) {
        queue.want(directory, lane: book.mark(above: directory)?.folder, at: .now)
    }

    private func refresh(within folder: ItemURI) {
        for place in places.keys where place.isWithin(folder) || place == folder.parent { want(place) }
        ask()
    }

    private func ask() {
        let due = queue.due(at: .now)
        if let next = due.next { alarm.set(at: next) }
        for directory in due.jobs {
            let mark = book.mark(above: directory)
            let inside = book.marks.filter { $0.folder.parent == directory }
            do {
                try answers?.start {
                    let begun = Instant.now
                    let items =
                        mark.map { ChangeReader.items(of: directory, $0) }
                        ?? inside.compactMap { mark in
                            mark.folder.name.map { (name: $0, isDone: ChangeReader.isDone(mark.folder, mark)) }
                        }
                    return Answer(directory: directory, items: items, duration: begun.duration(to: .now))
                }
            } catch {
                log(.warning, "Nothing can be looked at, for want of a thread: \(error)")
                learn(Answer(directory: directory, items: [], duration: .zero))
            }
        }
    }

    private func learn(_ answer: Answer) {
        queue.finished(answer.directory, took: answer.duration, at: .now)
        defer { ask() }
        guard let place = places[answer.directory] else { return }
        places[answer.directory]?.items = answer.items
        places[answer.directory]?.waiting = []
        if place.isObserved {
            let gone = (place.items ?? []).map(\.name).filter { name in !answer.items.contains { $0.name == name } }
            link?.updateBadges(
                in: answer.directory, columns(answer.directory, answer.items.map(\.name) + gone))
        }
        for body in place.waiting { body() }
        if !place.isObserved { places[answer.directory] = nil }
    }

    // MARK: Folders

    private func setFolders(_ onReply: @escaping (Result<Void, DBusError>) -> Void) {
        link?.setFolders(
            book.marks.map { FolderOffer(folder: $0.folder, watch: true, label: $0.folder.displayName) }, onReply)
        for mark in book.marks { report(mark) }
    }

    private func report(_ mark: Mark) {
        link?.setFolderStatus(
            mark.folder, FolderStatus(state: mark.folderState, text: mark.datedText, progress: mark.progress))
        for place in places where place.key.isWithin(mark.folder) || place.key == mark.folder.parent {
            // The badges follow from what was said; after a success what is known of the items no longer holds.
            if mark.state == .synced {
                places[place.key]?.items = nil
            } else {
                link?.updateBadges(in: place.key, columns(place.key, (place.value.items ?? []).map(\.name)))
            }
        }
        refresh(within: mark.folder)
        whenKnown(of: mark) { [weak self] isDone in
            guard let self, book[mark.folder] == mark else { return }
            folders?.statusChanged(status(of: mark, isDone: isDone))
        }
    }

    /// Whether nothing in the folder changed since, once that is known.
    private func whenKnown(of mark: Mark, _ body: @escaping (_ isDone: Bool) -> Void) {
        guard let parent = mark.folder.parent, let name = mark.folder.name else { return body(true) }
        whenKnown(parent) { [unowned self] in
            body(places[parent]?.items?.first { $0.name == name }?.isDone ?? false)
        }
    }

    private func status(of mark: Mark, isDone: Bool) -> SyncFolderStatus {
        var status = SyncFolderStatus(
            id: mark.folder.uri, uri: mark.folder.uri, state: mark.folderBadge(isDone: isDone))
        status.label = mark.folder.displayName
        status.text = mark.text(at: Self.now, isDone: isDone)
        status.progress = mark.progress
        status.lastSynced = mark.done
        if mark.state == .error { status.message = mark.words }
        return status
    }

    /// The clock of the kernel's file times, in microseconds since 1970.
    private static var now: Int64 { FileClock.now }
}

extension MarksEngine: FolderKeeper {
    package func listFolders() -> [SyncedFolder] {
        book.marks.map { mark in
            SyncedFolder(
                id: mark.folder.uri, uri: mark.folder.uri, remote: tr("a script"), label: mark.folder.displayName,
                state: mark.state)
        }
    }

    package func status(of folders: [SyncedFolder], answer: @escaping ([SyncFolderStatus]) -> Void) {
        let wanted = Set(folders.map(\.uri))
        let marks = book.marks.filter { wanted.contains($0.folder.uri) }
        var statuses: [SyncFolderStatus] = []
        if marks.isEmpty { return answer([]) }
        for mark in marks {
            whenKnown(of: mark) { [unowned self] isDone in
                statuses.append(status(of: mark, isDone: isDone))
                if statuses.count == marks.count { answer(statuses.sorted { $0.uri < $1.uri }) }
            }
        }
    }

    package func addFolder(
        _ folder: ItemURI, label: String, answer: @escaping (Result<String, RoundelError>) -> Void
    ) {
        take(MarksProxy.Statement(.pending), of: folder, from: "") { answer($0.map { folder.uri }) }
    }

    package func removeFolder(_ folder: SyncedFolder) throws(RoundelError) {
        guard let place = try? ItemURI(folder.uri) else { return }
        do throws(Errno) {
            try book.forget(place)
        } catch {
            throw RoundelError(.failed, tr("The list of folders cannot be saved: {1}.", "\(error)"))
        }
        runners.removeValue(forKey: place)?.cancel()
        setFolders { _ in }
        folders?.foldersChanged()
    }
}
