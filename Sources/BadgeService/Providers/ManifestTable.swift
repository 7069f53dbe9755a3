internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Keeps the engine informed of the installed manifests and of who owns their bus names.
///
/// The manifests are read by a thread of its own. A file system that does not answer holds back what waits for them for
/// ``patience``, once; until it answers, what was known goes on to hold.
final class ManifestTable {
    private unowned let hub: BadgeHub
    private let folders: ManifestFolders
    private var manifests: [Manifest] = []
    private var owners: [String: String] = [:]
    private var watches: [String: Registration] = [:]
    private var problems: [String] = []
    /// Names whose owner the bus has not told yet.
    private var asked: Set<String> = []
    /// What waits for these owners and for a reading of the manifests, in order.
    private var waiting: [(reading: Int, body: () -> Void)] = []
    private var hasTold = false
    private var work: BackgroundWork<Found>?
    /// The number of the latest reading that somebody needs, of the latest that has begun, and of the latest that has ended.
    private var wanted = 0
    private var begun = 0
    private var ended = 0
    /// Whether a reading takes so long that nobody waits for it.
    private var isOverdue = false
    private lazy var overdue = hub.loop.makeTimer { [unowned self] in giveUp() }

    private typealias Found = (manifests: [Manifest], problems: [String])

    /// How long a reading may take.
    private static let patience = Duration.seconds(2)

    init(folders: ManifestFolders, hub: BadgeHub) throws {
        self.folders = folders
        self.hub = hub
        work = try BackgroundWork(hub.loop, name: "manifests") { [weak self] in self?.end($0) }
    }

    /// The bus name in the manifest of a provider.
    func busName(of id: ProviderID) -> String? {
        manifests.first { $0.id == id }?.busName
    }

    /// Reads the manifests and reports them to the engine before this returns.
    func load() { apply(folders.load()) }

    /// Has the manifests read again, and reported to the engine if they have changed, before what waits from now on
    /// (``whenKnown(_:)``).
    func reload() {
        wanted = begun + 1
        if begun == ended { read() }
    }

    private func read() {
        begun += 1
        overdue.set(after: Self.patience)
        do {
            try work?.start { [folders] in folders.load() }
        } catch {
            // Where the system gives no thread, late is better than not at all.
            end(folders.load())
        }
    }

    private func end(_ found: Found) {
        ended = begun
        isOverdue = false
        overdue.cancel()
        if wanted > begun { read() }
        apply(found)
        goOn()
    }

    private func giveUp() {
        log(.warning, Texts.manifestsNotRead)
        isOverdue = true
        goOn()
    }

    private func apply(_ found: Found) {
        if found.problems != problems {
            problems = found.problems
            for problem in problems { log(.warning, problem) }
        }
        guard found.manifests != manifests || !hasTold else { return }
        manifests = found.manifests
        let names = Set(manifests.map(\.busName))
        for (name, watch) in watches where !names.contains(name) {
            watch.cancel()
            watches[name] = nil
            owners[name] = nil
            asked.remove(name)
        }
        for name in names where watches[name] == nil { follow(name) }
        tellEngine()
    }

    /// Calls `body` once the engine has been told of all manifests with their owners.
    func whenKnown(_ body: @escaping () -> Void) {
        waiting.append((wanted, body))
        if waiting.count == 1 { goOn() }
    }

    private func follow(_ name: String) {
        asked.insert(name)
        do {
            watches[name] = try hub.bus.watchName(name) { [unowned self] owner in
                let isFirst = asked.remove(name) != nil
                guard isFirst || owners[name] != owner else { return }
                owners[name] = owner
                tellEngine()
            }
        } catch {
            asked.remove(name)
            log(.warning, Texts.manifestNameNotFollowed(name, because: error.message))
        }
    }

    /// Reports to the engine when all owners are known: without its owner a manifest would give its id to nobody.
    private func tellEngine() {
        guard asked.isEmpty else { return }
        hasTold = true
        defer { goOn() }
        hub.feed(
            .manifests(
                manifests.map { manifest in
                    var manifest = manifest
                    manifest.owner = owners[manifest.busName]
                    return manifest
                }))
    }

    private func goOn() {
        while asked.isEmpty, let first = waiting.first, isOverdue || first.reading <= ended {
            waiting.removeFirst()
            first.body()
        }
    }
}
