package import DBus
internal import Launching
package import RoundelBus
internal import Support
package import SystemPackage

/// Git as a provider: puts the questions of the badge service to ``GitCore``, and its questions to git.
package final class GitEngine: Provider, RunningEngine {
    private let bus: Connection
    private let launcher: ProgramLauncher
    private let places: Places
    private var book: FolderBook
    private var core = GitCore()
    private var link: ProviderLink?
    private var export: FoldersExport?
    private var answers: BackgroundWork<Answer>?
    private var deeds: BackgroundWork<Deed>?
    private lazy var alarm = bus.loop.makeTimer { [unowned self] in perform(core.timeCame(.now)) }
    /// What waits for an answer of the core, or for the end of an action, by its number.
    private var waiting: [Int: () -> Void] = [:]
    private var finishes: [Int: (Result<[String]?, RoundelError>) -> Void] = [:]
    private var lastNumber = 0
    /// What is known of each folder as a whole.
    private var reports: [ItemURI: RepositoryReport] = [:]

    /// Where its files are.
    package struct Places: Sendable {
        /// The chosen folders.
        package let folders: FilePath
        /// Versions that are compared; for this session.
        package let versions: FilePath
        /// `$XDG_DATA_HOME`, for the trash.
        package let data: FilePath

        package init(folders: FilePath, versions: FilePath, data: FilePath) {
            (self.folders, self.versions, self.data) = (folders, versions, data)
        }
    }

    private struct Answer: Sendable {
        let job: GitCore.Job
        let outcome: GitCore.Outcome
        let duration: Duration
    }

    private struct Deed: Sendable {
        let number: Int
        let roots: [ItemURI]
        let result: Result<[String]?, RoundelError>
    }

    /// Reads the chosen folders, and exports the engine: the bus delivers the call that started it as soon as it owns its
    /// name.
    package init(on bus: Connection, places: Places) throws {
        self.bus = bus
        self.places = places
        launcher = ProgramLauncher(bus: bus)
        book = FolderBook(places.folders)
        answers = try BackgroundWork(bus.loop, name: "git") { [unowned self] in learn($0) }
        deeds = try BackgroundWork(bus.loop, name: "git-action") { [unowned self] in conclude($0) }
        export = try FoldersExport(self, on: bus, at: ObjectPath(GitNames.object))
    }

    /// Registers with the badge service, now or when it runs; the bus name must be owned.
    package func start() throws {
        GitActions.removeVersions(in: places.versions)
        let registration = ProviderRegistration(
            object: GitNames.object, id: GitNames.provider, name: "Git", icon: "emblem-roundel-git-modified",
            services: [EngineInterface.folders.name: GitNames.object])
        let link = try ProviderLink(self, registration: registration, on: bus)
        self.link = link
        link.setBadgeImages(FileState.images)
        setFolders { _ in }
        try link.start()
    }

    package func stop() { link?.stop() }

    // MARK: Provider

    package func registrationChanged(_ result: Result<Void, DBusError>?) {
        switch result {
        case .success:
            for folder in book.folders { lookOnceWatched(folder) }
        case .failure(let error): log(.warning, "\(error.message)")
        case nil: break
        }
    }

    /// What changed before the folder was watched is not told.
    private func lookOnceWatched(_ folder: ItemURI) {
        link?.flush(folder) { [weak self] _ in
            guard let self else { return }
            perform(core.changed(FolderChanges(folder: folder, overflow: true), at: .now))
        }
    }

    package func beginObserving(_ directory: ItemURI) { perform(core.begin(directory, at: .now)) }

    package func endObserving(_ directory: ItemURI) { perform(core.end(directory, at: .now)) }

    package func requestBadges(
        in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void
    ) {
        whenKnown(directory) { [unowned self] in answer(core.columns(directory, names)) }
    }

    package func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
    ) {
        whenKnown(directory) { [unowned self] in
            let page = core.page(directory, after: after, limit: limit)
            answer(core.columns(directory, page.names), page.more ? page.names.last : nil)
        }
    }

    package func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void) {
        perform(core.changed(changes, at: .now))
        accepted()
    }

    package func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void) {
        guard request.kind == .items, let parent = request.selection.first?.parent else { return answer([]) }
        whenKnown(parent) { [unowned self] in
            answer(GitMenu.menu(request.selection.map { .init(core.state(of: $0), isStaged: core.isStaged($0)) }))
        }
    }

    package func attributes(
        of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void
    ) {
        guard let parent = item.parent else { return answer([:]) }
        whenKnown(parent) { [unowned self] in
            guard let state = core.state(of: item) else { return answer([:]) }
            var attributes: [String: AttributeValue] = [
                "state": .string(state.badge.identifier), "label": .string(state.label),
            ]
            let report = core.tree(at: item) ?? reports[item]
            if let text = report?.problem ?? report?.branch?.text { attributes["message"] = .string(text) }
            answer(attributes)
        }
    }

    package func activate(
        _ item: String, _ request: MenuRequest, finished: @escaping (Result<ActionProduct?, RoundelError>) -> Void
    ) {
        guard let action = GitAction(rawValue: item) else {
            return finished(.failure(RoundelError(.unknownItem, tr("There is no action “{1}”.", item))))
        }
        let items = request.selection
        let actions = GitActions(RepositoryReader(book.folders), trash: TrashBin(data: places.data))
        let versions = places.versions
        carryOut(actions, items) { () throws(RoundelError) in
            switch action {
            case .stage: try actions.stage(items)
            case .unstage: try actions.unstage(items)
            case .discard: try actions.discard(items)
            case .compare: return try actions.comparison(of: items, in: versions)
            }
            return nil
        } finished: { [unowned self] result in
            switch result {
            case .failure(let error): finished(.failure(error))
            case .success(nil): finished(.success(nil))
            case .success(let words?): launch(words, request.options, finished)
            }
        }
    }

    private func launch(
        _ words: [String], _ options: ActivationOptions,
        _ finished: @escaping (Result<ActionProduct?, RoundelError>) -> Void
    ) {
        launcher.start(words, startup: options.activationToken ?? "") { outcome in
            switch outcome {
            case .handedOver, .ended: finished(.success(nil))
            case .failed(let reason): finished(.failure(RoundelError(.failed, reason)))
            }
        }
    }

    // MARK: Between the core and git

    private func whenKnown(_ directory: ItemURI, _ body: @escaping () -> Void) {
        let number = wait(body)
        perform(core.ask(number, directory, at: .now))
    }

    private func wait(_ body: @escaping () -> Void) -> Int {
        lastNumber += 1
        waiting[lastNumber] = body
        return lastNumber
    }

    private func perform(_ actions: [GitCore.Action]) {
        for action in actions {
            switch action {
            case .run(let job): run(job)
            case .ready(let number): waiting.removeValue(forKey: number)?()
            case .tell(let directory, let names): link?.updateBadges(in: directory, core.columns(directory, names))
            case .folder(let folder, let report): note(report, of: folder)
            case .wake(let time): alarm.set(at: time)
            }
        }
    }

    private func run(_ job: GitCore.Job) {
        let reader = RepositoryReader(core.folders)
        do {
            try answers?.start {
                let begun = Instant.now
                let outcome = reader.answer(job)
                return Answer(job: job, outcome: outcome, duration: begun.duration(to: .now))
            }
        } catch {
            log(.warning, "Git cannot be asked, for want of a thread: \(error)")
            let outcome: GitCore.Outcome =
                switch job {
                case .directory: .directory(DirectoryReport())
                case .sum, .branch: .repository(RepositoryReport(problem: "\(error)"))
                }
            learn(Answer(job: job, outcome: outcome, duration: .zero))
        }
    }

    private func learn(_ answer: Answer) {
        perform(core.finished(answer.job, answer.outcome, took: answer.duration, at: .now))
    }

    private func carryOut(
        _ actions: GitActions, _ items: [ItemURI],
        _ deed: @escaping @Sendable () throws(RoundelError) -> [String]?,
        finished: @escaping (Result<[String]?, RoundelError>) -> Void
    ) {
        lastNumber += 1
        let number = lastNumber
        finishes[number] = finished
        do {
            try deeds?.start {
                let result = Result(catching: deed)
                return Deed(number: number, roots: actions.trees(of: items).map(\.root), result: result)
            }
        } catch {
            finishes[number] = nil
            finished(.failure(RoundelError(.failed, "\(error)")))
        }
    }

    private func conclude(_ deed: Deed) {
        for root in deed.roots { perform(core.changed(repository: root, at: .now)) }
        finishes.removeValue(forKey: deed.number)?(deed.result)
    }

    // MARK: Folders

    private func setFolders(_ onReply: @escaping (Result<Void, DBusError>) -> Void) {
        link?.setFolders(book.folders.map { FolderOffer(folder: $0, watch: true, label: $0.displayName) }, onReply)
        reports = reports.filter { book.folders.contains($0.key) }
        for folder in book.folders { tellStatus(of: folder) }
        perform(core.setFolders(book.folders, at: .now))
    }

    private func note(_ report: RepositoryReport, of folder: ItemURI) {
        reports[folder] = report
        tellStatus(of: folder)
    }

    private func tellStatus(of folder: ItemURI) {
        guard let report = reports[folder] else {
            link?.setFolderStatus(folder, .unknown)
            return
        }
        let status = FolderStatus(
            state: report.problem == nil ? .idle : .error, text: report.problem ?? report.branch?.text ?? "")
        link?.setFolderStatus(folder, status)
    }
}

extension GitEngine: FolderKeeper {
    package func listFolders() -> [SyncedFolder] {
        book.folders.map { folder in
            SyncedFolder(
                id: folder.uri, uri: folder.uri, remote: "git", label: folder.displayName,
                state: reports[folder].map { $0.problem == nil ? .synced : .error } ?? .none)
        }
    }

    package func status(of folders: [SyncedFolder], answer: @escaping ([SyncFolderStatus]) -> Void) {
        var statuses: [SyncFolderStatus] = []
        var left = folders.count
        if left == 0 { return answer([]) }
        for folder in folders {
            guard let place = try? ItemURI(folder.uri) else { continue }
            let number = wait { [unowned self] in
                statuses.append(status(of: folder, core.tree(at: place)))
                left -= 1
                if left == 0 { answer(statuses.sorted { $0.uri < $1.uri }) }
            }
            perform(core.askSum(number, place, at: .now))
        }
    }

    private func status(of folder: SyncedFolder, _ report: RepositoryReport?) -> SyncFolderStatus {
        let state: Badge = report.map { $0.problem == nil ? $0.state?.folderBadge ?? .synced : .error } ?? .none
        var status = SyncFolderStatus(id: folder.id, uri: folder.uri, state: state)
        status.label = folder.label
        status.remote = folder.remote
        let words = [report?.state?.label, report?.branch?.text].compactMap(\.self)
        status.text = words.count == 2 ? tr("{1}. {2}", words[0], words[1]) : words.first ?? ""
        status.message = report?.problem
        return status
    }

    package func addFolder(
        _ folder: ItemURI, label: String, answer: @escaping (Result<String, RoundelError>) -> Void
    ) {
        guard !book.folders.contains(where: { folder.isWithin($0) || $0.isWithin(folder) }) else {
            return answer(
                .failure(RoundelError(.folderTaken, tr("“{1}” shows git's states already.", folder.displayName))))
        }
        do throws(Errno) {
            try book.set(book.folders + [folder])
        } catch {
            return answer(.failure(.unsaved(error)))
        }
        export?.foldersChanged()
        if link?.isRegistered ?? false {
            setFolders { [unowned self] result in
                if case .failure(let error) = result {
                    try? book.set(book.folders.filter { $0 != folder })
                    setFolders { _ in }
                    return answer(.failure(RoundelError(error.roundelCode ?? .failed, error.message)))
                }
                lookOnceWatched(folder)
                answer(.success(folder.uri))
            }
        } else {
            setFolders { _ in }
            answer(.success(folder.uri))
        }
    }

    package func removeFolder(_ folder: SyncedFolder) throws(RoundelError) {
        do throws(Errno) {
            try book.set(book.folders.filter { $0.uri != folder.uri })
        } catch {
            throw .unsaved(error)
        }
        setFolders { _ in }
        export?.foldersChanged()
    }
}

extension RoundelError {
    fileprivate static func unsaved(_ error: Errno) -> RoundelError {
        RoundelError(.failed, tr("The list of folders cannot be saved: {1}.", "\(error)"))
    }
}
