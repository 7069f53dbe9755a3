internal import DBus
internal import Launching
internal import RoundelBus
internal import Support

/// Shows the folders of the person's Syncthing: a provider of badges and menus, whose folders commands can ask for.
///
/// Belongs to the thread of the bus' loop.
final class SyncthingEngine: Provider, RunningEngine {
    static let busName = "org.roundel.Syncthing1"
    static let object: ObjectPath = "/org/roundel/Syncthing1"
    static let providerID = "syncthing"

    private let bus: Connection
    private let disk: DiskLooks
    private let opener: DesktopOpener
    private var link: ProviderLink?
    private var watch: SyncthingWatch?
    private var offer: FoldersOffer?
    private var folders: [String: FolderModel] = [:]
    private var order: [String] = []
    private var names: [PeerID: String] = [:]
    private var connected: Set<PeerID> = []
    private var absence: String? = tr("Looking for Syncthing")
    private var rates: [String: ReceiveRate] = [:]
    private var observed: Set<ItemURI> = []
    private var answers: [WaitingAnswer] = []
    private var searches: [Search] = []
    private var offered: [FolderOffer]?
    /// Folders whose state is to be told at the end of a short pause.
    private var restless: Set<String> = []
    private lazy var telling = bus.loop.makeTimer { [weak self] in self?.tellStatuses() }
    /// Counts configurations, so that one that took long to resolve does not replace a newer one.
    private var configurations = 0

    /// A call that is answered when all of its items are known.
    private struct WaitingAnswer {
        let items: [ItemURI]
        var missing: Set<ItemURI>
        let reply: (BadgeColumns) -> Void
    }

    /// A call that is answered when the conflicts of folders are known.
    private struct Search {
        let folders: [String]
        let done: () -> Void
    }

    /// The most names that are answered at a time.
    private static let page = 5_000

    init(on bus: Connection) throws {
        self.bus = bus
        disk = try DiskLooks(bus.loop)
        opener = DesktopOpener(bus: bus, name: "roundel-syncthing")
    }

    func start() throws {
        let offer = try FoldersOffer(self, on: bus)
        self.offer = offer
        let registration = ProviderRegistration(
            object: Self.object.rawValue, id: Self.providerID, name: "Syncthing", icon: "syncthing",
            services: FoldersOffer.services)
        let link = try ProviderLink(self, registration: registration, on: bus)
        self.link = link
        link.setBadgeImages([
            BadgeImage(
                badge: .changedHereOnly, label: tr("Changed on this computer only"), icon: "emblem-roundel-pending"),
            BadgeImage(
                badge: .changedElsewhereOnly, label: tr("Differs on other devices"), icon: "emblem-roundel-pending"),
        ])
        try link.start()
        let watch = try SyncthingWatch(bus.loop) { [weak self] in self?.take($0) }
        self.watch = watch
        watch.start()
    }

    func stop() {
        watch?.stop()
        link?.stop()
    }

    // MARK: Syncthing

    private func take(_ news: SyncthingWatch.News) {
        switch news {
        case .reached(let configuration, let connected):
            absence = nil
            self.connected = connected
            log(.info, "Syncthing answers; \(configuration.folders.count) folders.")
            apply(configuration, restarts: true)
        case .configuration(let configuration): apply(configuration, restarts: false)
        case .lost(let sentence, let known):
            if absence != sentence { log(.info, "\(sentence).") }
            absence = sentence
            connected = []
            for id in order { folders[id]?.restart(isReachable: false) }
            if folders.isEmpty && !known.isEmpty {
                apply(SyncthingConfiguration(folders: known, devices: names), restarts: true)
            } else if offered == nil {
                offerFolders()
            }
            settleAll()
        case .event(let fact): handle(fact)
        }
    }

    private func handle(_ fact: SyncthingEvent.Fact) {
        switch fact {
        case .connected(let device):
            connected.insert(device)
            touch(sharedWith: device)
        case .disconnected(let device):
            connected.remove(device)
            touch(sharedWith: device)
        case .receiving(let all):
            let now = Instant.now
            for (id, items) in all {
                rates[id, default: ReceiveRate()].note(items.values.reduce(0) { $0 &+ $1.done }, at: now)
            }
            for id in order { feed(id, fact) }
            return
        case .stateChanged, .countsChanged, .localIndex, .remoteIndex, .started, .finished, .sending, .failed,
            .completionChanged,
            .configurationChanged:
            break
        }
        if let id = fact.folder { feed(id, fact) } else { for id in order { feed(id, fact) } }
    }

    private func touch(sharedWith device: PeerID) {
        for id in order where folders[id]?.settings.devices.contains(device) ?? false { restless.insert(id) }
        telling.set(after: .milliseconds(100))
    }

    private func feed(_ id: String, _ fact: SyncthingEvent.Fact) {
        folders[id]?.handle(fact)
        settle(id)
    }

    /// Takes over a configuration once the real places of its folders are known.
    private func apply(_ configuration: SyncthingConfiguration, restarts: Bool) {
        names = configuration.devices
        configurations += 1
        let number = configurations
        disk.resolve(configuration.folders) { [weak self] folders in
            guard let self, number == configurations else { return }
            take(folders: Self.withoutNested(folders), restarts: restarts)
        }
    }

    /// The badge service takes no folder within another one of the same provider: the outer one stands for both.
    private static func withoutNested(_ folders: [FolderSettings]) -> [FolderSettings] {
        folders.enumerated().filter { index, folder in
            !folders.enumerated().contains { other, outer in
                folder.root.isBelow(outer.root) || (other < index && folder.root == outer.root)
            }
        }.map(\.element)
    }

    private func take(folders new: [FolderSettings], restarts: Bool) {
        let ids = Set(new.map(\.id))
        for id in order where !ids.contains(id) { folders[id] = nil }
        order = new.map(\.id)
        finish(Set(answers.flatMap(\.missing).filter { model(of: $0) == nil }))
        for settings in new {
            if folders[settings.id] == nil {
                folders[settings.id] = FolderModel(settings)
                for directory in observed where Self.concerns(directory, settings.root) {
                    folders[settings.id]?.beginObserving(directory)
                }
                folders[settings.id]?.restart(isReachable: absence == nil)
            } else {
                folders[settings.id]?.settings = settings
                if restarts { folders[settings.id]?.restart(isReachable: absence == nil) }
            }
        }
        offerFolders()
        offer?.foldersChanged()
        settleAll()
    }

    private func offerFolders() {
        let offers = order.compactMap { folders[$0]?.settings }.map { settings in
            FolderOffer(folder: settings.root, watch: true, label: settings.label)
        }
        guard offers != offered else { return }
        offered = offers
        link?.setFolders(offers)
        restless.formUnion(order)
        tellStatuses()
    }

    private func model(of item: ItemURI) -> String? {
        order.first { folders[$0].map { item.isWithin($0.settings.root) } ?? false }
    }

    /// Whether a directory shows something of a folder: it is in it, or lists it.
    private static func concerns(_ directory: ItemURI, _ root: ItemURI) -> Bool {
        directory.isWithin(root) || root.parent == directory
    }

    // MARK: What follows

    private func settleAll() { for id in order { settle(id) } }

    private func settle(_ id: String) {
        guard let effects = folders[id]?.takeEffects(), let settings = folders[id]?.settings else { return }
        for question in effects.questions { ask(question, of: id) }
        if !effects.looks.isEmpty {
            disk.facts(of: effects.looks, in: settings.root) { [weak self] facts in
                self?.folders[id]?.looked(facts)
                self?.settle(id)
            }
        }
        tell(effects.badges, settings)
        let ready = Set(effects.ready)
        if !ready.isEmpty { finish(ready) }
        if !searches.isEmpty { finishSearches() }
        if effects.status {
            restless.insert(id)
            if !telling.isSet { telling.set(after: .milliseconds(100)) }
        }
    }

    private func finishSearches() {
        func isOpen(_ search: Search) -> Bool {
            search.folders.contains { folders[$0]?.looksForConflicts ?? false }
        }
        let done = searches.filter { !isOpen($0) }
        searches.removeAll { !isOpen($0) }
        for search in done { search.done() }
    }

    private func ask(_ question: Question, of id: String) {
        var name: String?
        switch question {
        case .record(let item), .listing(let item): name = folders[id]?.name(of: item)
        case .counts, .failures, .needed, .ignores, .completion, .unsent, .tree: break
        }
        watch?.client?.send(RestRequest(question, of: id, name: name)) { [weak self] outcome in
            let answer: Answer =
                switch outcome {
                case .answer(let status, let json): Answer(question, status: status, json)
                case .failed: .failed
                }
            self?.folders[id]?.handle(answer, to: question)
            self?.settle(id)
        }
    }

    private func tell(_ badges: [ItemURI: BadgeRow], _ settings: FolderSettings) {
        var columns: [ItemURI: BadgeColumns] = [:]
        // What is waited for goes into the answer.
        let told = badges.filter { badge in !answers.contains { $0.missing.contains(badge.key) } }
        for (item, row) in told.sorted(by: { $0.key < $1.key }) {
            guard let directory = item.parent, let name = item.name else { continue }
            columns[directory, default: BadgeColumns()].append(name, row.badge, BadgeFlags(rawValue: 0), row.progress)
        }
        for (directory, columns) in columns { link?.updateBadges(in: directory, columns) }
    }

    // MARK: Hosts

    func beginObserving(_ directory: ItemURI) {
        observed.insert(directory)
        for id in order where folders[id].map({ Self.concerns(directory, $0.settings.root) }) ?? false {
            folders[id]?.beginObserving(directory)
            settle(id)
        }
        watch?.lookNow()
    }

    func endObserving(_ directory: ItemURI) {
        observed.remove(directory)
        for id in order where folders[id].map({ Self.concerns(directory, $0.settings.root) }) ?? false {
            folders[id]?.endObserving(directory)
            settle(id)
        }
        // Nobody finds out any more what is asked for there.
        finish(Set(answers.flatMap(\.missing).filter { $0.parent == directory }))
    }

    func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void) {
        give(names.map(directory.appending), answer)
    }

    func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
    ) {
        guard let id = model(of: directory) else {
            let roots = order.compactMap { folders[$0]?.settings.root }.filter { $0.parent == directory }.sorted()
            return give(roots) { answer($0, nil) }
        }
        disk.names(in: directory, of: folders[id]?.settings.root) { [weak self] names in
            guard let self else { return }
            let rest = names.drop { name in after.map { name <= $0 } ?? false }
            let page = rest.prefix(min(limit, Self.page))
            let next = rest.count > page.count ? page.last : nil
            give(page.map(directory.appending)) { answer($0, next) }
        }
    }

    /// Answers with the badges of items, as soon as all of them are known.
    private func give(_ items: [ItemURI], _ reply: @escaping (BadgeColumns) -> Void) {
        for (id, own) in Dictionary(grouping: items, by: { model(of: $0) ?? "" }) {
            folders[id]?.show(own)
        }
        let missing = items.filter { item in
            model(of: item).flatMap { folders[$0] }.map { !$0.isReady(item) } ?? false
        }
        let waiting = WaitingAnswer(items: items, missing: Set(missing), reply: reply)
        if missing.isEmpty { return finish(waiting) }
        answers.append(waiting)
        settleAll()
    }

    private func finish(_ ready: Set<ItemURI>) {
        for index in answers.indices { answers[index].missing.subtract(ready) }
        let done = answers.filter(\.missing.isEmpty)
        answers.removeAll(where: \.missing.isEmpty)
        for answer in done { finish(answer) }
    }

    private func finish(_ answer: WaitingAnswer) {
        var columns = BadgeColumns()
        for item in answer.items {
            guard let name = item.name else { continue }
            let row = model(of: item).flatMap { folders[$0]?.give(item) } ?? BadgeRow()
            columns.append(name, row.badge, BadgeFlags(rawValue: 0), row.progress)
        }
        answer.reply(columns)
    }

    func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void) {
        if let id = model(of: changes.folder) {
            folders[id]?.changedOnDisk(
                items: changes.items, directories: changes.directories, overflow: changes.overflow)
            settle(id)
        }
        accepted()
    }

    func registrationChanged(_ result: Result<Void, DBusError>?) {
        if case .failure(let error)? = result { log(.warning, error.message) }
        guard result == nil else { return }
        // Whoever was shown something asks anew.
        for directory in observed { endObserving(directory) }
    }

    func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void) {
        guard let id = model(of: item), let model = folders[id] else { return answer([:]) }
        let row = model.row(of: item)
        var attributes: [String: AttributeValue] = ["state": .string(row.badge.identifier)]
        if let label = CommonBadge(row.badge)?.label { attributes["label"] = .string(label) }
        if row.progress != Progress.none { attributes["progress"] = .byte(row.progress) }
        if let progress = model.transfers.receiving[item] {
            attributes["bytes-done"] = .unsigned(progress.done)
            attributes["bytes-total"] = .unsigned(progress.total)
        }
        let problem = report(id)?.problems(within: item).first { $0.uri == item.uri }
        if let problem { attributes["message"] = .string(problem.message) }
        answer(keys.isEmpty ? attributes : attributes.filter { keys.contains($0.key) })
    }

    // MARK: Whole folders

    private func report(_ id: String) -> FolderReport? {
        folders[id].map { model in
            FolderReport(
                model: model, names: names, connected: connected, absence: absence,
                rate: model.transfers.receiving.isEmpty ? nil : rates[id]?.rate)
        }
    }

    private func tellStatuses() {
        for id in restless {
            guard let report = report(id) else { continue }
            link?.setFolderStatus(report.model.settings.root, report.hubStatus, notices: report.notices)
            offer?.statusChanged(report.status(transfers: 16))
        }
        restless = []
    }

    // MARK: Menus

    func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void) {
        let items = request.selection.isEmpty ? [request.target].compactMap(\.self) : request.selection
        let ids = Set(items.compactMap(model))
        guard let id = ids.first, ids.count == 1, let report = report(id) else {
            let all = request.kind == .toolbar ? FolderMenu.items(for: reports, page: watch?.page) : []
            return answer(all)
        }
        answer(FolderMenu.items(for: report, page: watch?.page))
    }

    func activate(
        _ item: String, _ request: MenuRequest, finished: @escaping (Result<ActionProduct?, RoundelError>) -> Void
    ) {
        let finish: FolderRequests.Finish = { finished($0.map { nil }) }
        guard let action = FolderMenu.Action(rawValue: item) else {
            return finish(.failure(RoundelError(.unknownItem, "There is no action “\(item)”.")))
        }
        let items = request.selection.isEmpty ? [request.target].compactMap(\.self) : request.selection
        let id = items.first.flatMap(model)
        switch action {
        case .pauseAll: requests.setPaused(true, order.compactMap { folders[$0]?.settings }, finish)
        case .resumeAll: requests.setPaused(false, order.compactMap { folders[$0]?.settings }, finish)
        case .open: openPage(request.options, finish)
        case .rescan, .pause, .resume, .override, .revert:
            guard let id, let model = folders[id] else {
                return finish(.failure(RoundelError(.unknownFolder, tr("Syncthing has no such folder any more."))))
            }
            act(action, model, items, finish)
        }
    }

    private func act(
        _ action: FolderMenu.Action, _ model: FolderModel, _ items: [ItemURI], _ finish: @escaping FolderRequests.Finish
    ) {
        switch action {
        case .rescan: requests.rescan(model.settings, below: items.count == 1 ? model.name(of: items[0]) : nil, finish)
        case .pause: requests.setPaused(true, model.settings, finish)
        case .resume: requests.setPaused(false, model.settings, finish)
        case .override: requests.override(model.settings, finish)
        case .revert: requests.revert(model.settings, finish)
        case .open, .pauseAll, .resumeAll: finish(.success(()))
        }
    }

    /// The address of its own page; nil if it does not run or has none.
    var page: String? { watch?.page }

    private func openPage(_ options: ActivationOptions, _ finish: @escaping FolderRequests.Finish) {
        guard let page = watch?.page else {
            return finish(.failure(RoundelError(.failed, tr("Syncthing has no page that a browser could open."))))
        }
        opener.open(page: page, options, finish)
    }

    // MARK: For the interfaces of engines

    /// What is said of each folder, in the order of Syncthing's configuration.
    var reports: [FolderReport] { order.compactMap(report) }

    /// What a person has Syncthing do.
    var requests: FolderRequests { FolderRequests(client: watch?.client, absence: absence) }

    /// The folders that a text names, by an id or by the URI of something in one; all for "".
    func reports(named text: String) throws(DBusError) -> [FolderReport] {
        watch?.lookNow()
        if text.isEmpty { return reports }
        let item = try? ItemURI(text)
        let found = reports.first { report in
            let settings = report.model.settings
            return settings.id == text || item.map { $0.isWithin(settings.root) } ?? false
        }
        guard let found else {
            throw DBusError(RoundelError(.unknownFolder, tr("“{1}” is in none of Syncthing's folders.", text)))
        }
        return [found]
    }

    /// Has the conflicts of folders looked for, and calls back when they are known as far as they will be.
    func findConflicts(in reports: [FolderReport], _ done: @escaping () -> Void) {
        let ids = reports.map(\.model.settings.id)
        for id in ids { folders[id]?.wantConflicts() }
        searches.append(Search(folders: ids, done: done))
        for id in ids { settle(id) }
        finishSearches()
    }
}

extension SyncthingEvent.Fact {
    /// The folder that it is about; nil for none, or several.
    fileprivate var folder: String? {
        switch self {
        case .stateChanged(let folder, _, _), .countsChanged(let folder), .localIndex(let folder, _),
            .remoteIndex(let folder, _), .started(let folder, _), .finished(let folder, _, _),
            .sending(let folder, _, _), .failed(let folder, _), .completionChanged(let folder, _):
            folder
        case .receiving, .connected, .disconnected, .configurationChanged: nil
        }
    }
}
