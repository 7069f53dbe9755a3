internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Informs the engine about the installed manifests and the owners of their bus names.
///
/// A separate thread reads the manifests. If a file system does not respond, callers that need what is read wait for it
/// for at most ``patience``, once; until it responds, the manifests known before are used.
final class ManifestTable {
    private unowned let hub: BadgeHub
    private let folders: ManifestFolders
    private var manifests: [Manifest] = []
    private var owners: [String: String] = [:]
    private var watches: [String: Registration] = [:]
    private var problems: [String] = []
    /// Names whose owner the bus has not reported yet.
    private var asked: Set<String> = []
    /// The callbacks that wait for these owners and for a reading of the manifests.
    private var waiting = ManifestWaits()
    /// Callbacks that need not wait any longer but were not called yet.
    private var ready: [() -> Void] = []
    private var isCalling = false
    private var hasTold = false
    private var work: BackgroundWork<Found>?
    /// The numbers of the latest reading that is needed, the latest that has begun, and the latest that has ended.
    private var wanted = 0
    private var begun = 0
    private var ended = 0
    /// Whether a reading takes so long that nothing waits for it any more.
    private var isOverdue = false
    private lazy var overdue = hub.loop.makeTimer { [unowned self] in giveUp() }

    private typealias Found = (manifests: [Manifest], problems: [String])

    init(folders: ManifestFolders, hub: BadgeHub) throws {
        self.folders = folders
        self.hub = hub
        work = try BackgroundWork(hub.loop, name: "manifests") { [weak self] in self?.end($0) }
    }

    /// The bus name in the manifest of a provider.
    func busName(of id: ProviderID) -> String? {
        manifests.first { $0.id == id }?.busName
    }

    /// Reads the manifests and reports them to the engine before it returns.
    func load() { apply(folders.load()) }

    /// Reads the manifests again and reports changes to the engine, before callbacks added from now on are called
    /// (``whenKnown(_:)``).
    func reload() {
        wanted = begun + 1
        if begun == ended { read() }
    }

    private func read() {
        begun += 1
        overdue.set(after: Patience.Badges.manifests)
        do {
            try work?.start { [folders] in folders.load() }
        } catch {
            // If no thread can be created, blocking the loop is better than not reading them.
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

    /// Calls `body` once the engine knows all manifests with their owners.
    func whenKnown(to caller: String, _ body: @escaping () -> Void) {
        let isFirst = waiting.isEmpty
        waiting.add(body, of: caller, needing: wanted)
        // Where others wait, it waits with them.
        if isFirst { goOn() }
    }

    /// Calls `body` at once, or after what the same caller waits for.
    func inOrder(of caller: String, _ body: @escaping () -> Void) {
        guard waiting.isWaiting(caller) else { return body() }
        waiting.add(body, of: caller, needing: nil)
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

    /// Reports to the engine when all owners are known: for a manifest without its owner, no connection could use its
    /// ID.
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
        guard asked.isEmpty, !waiting.isEmpty else { return }
        ready += waiting.release(upTo: isOverdue ? .max : ended)
        // A callback may lead here again.
        guard !isCalling else { return }
        isCalling = true
        defer { isCalling = false }
        while !ready.isEmpty {
            let bodies = ready
            ready = []
            for body in bodies { body() }
        }
    }
}
