internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Follows the installed manifests and the owners of their bus names.
///
/// A separate thread reads the manifests. If a file system does not respond, callers that need what is read wait for it
/// for at most ``Patience/Badges/manifests``, once; until it responds, the manifests known before are used.
final class ManifestTable {
    private let folders: ManifestFolders
    private let bus: Connection
    private let onChange: ([Manifest]) -> Void
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
    private var hasReported = false
    private var work: BackgroundWork<Found>?
    /// The numbers of the latest reading that is needed, the latest that has begun, and the latest that has ended.
    private var wanted = 0
    private var begun = 0
    private var ended = 0
    /// Whether a reading takes so long that nothing waits for it any more.
    private var isOverdue = false
    private lazy var overdue = bus.loop.makeTimer { [unowned self] in giveUp() }

    private typealias Found = (manifests: [Manifest], problems: [String])

    /// - Parameter onChange: Called with all manifests when they are known, and whenever they or their owners change.
    init(folders: ManifestFolders, bus: Connection, onChange: @escaping ([Manifest]) -> Void) throws {
        self.folders = folders
        self.bus = bus
        self.onChange = onChange
        work = try BackgroundWork(bus.loop, name: "manifests") { [weak self] in self?.end($0) }
    }

    /// The bus name in the manifest of a provider.
    func busName(of id: ProviderID) -> String? {
        manifests.first { $0.id == id }?.busName
    }

    /// Reads the manifests before it returns.
    func load() { apply(folders.load()) }

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
        log(
            .warning,
            """
            The manifests of providers cannot be read: their file system does not answer. Until it does, those that \
            were read before stand.
            """)
        isOverdue = true
        goOn()
    }

    private func apply(_ found: Found) {
        if found.problems != problems {
            problems = found.problems
            for problem in problems { log(.warning, problem) }
        }
        guard found.manifests != manifests || !hasReported else { return }
        manifests = found.manifests
        let names = Set(manifests.map(\.busName))
        for (name, watch) in watches where !names.contains(name) {
            watch.cancel()
            watches[name] = nil
            owners[name] = nil
            asked.remove(name)
        }
        for name in names where watches[name] == nil { follow(name) }
        report()
    }

    /// Calls `body` for a call that needs what the manifests say now, once they are read again and reported with the
    /// owners of their bus names. The calls of one caller keep their order.
    func whenRead(for caller: String, _ body: @escaping () -> Void) {
        wanted = begun + 1
        if begun == ended { read() }
        let isFirst = waiting.isEmpty
        waiting.add(body, of: caller, needing: wanted)
        // Where others wait, it waits with them.
        if isFirst { goOn() }
    }

    /// Calls `body` after the earlier calls of the same caller, which may wait for manifests.
    func inOrder(of caller: String, _ body: @escaping () -> Void) {
        guard waiting.isWaiting(caller) else { return body() }
        waiting.add(body, of: caller, needing: nil)
    }

    private func follow(_ name: String) {
        asked.insert(name)
        do {
            watches[name] = try bus.watchName(name) { [unowned self] owner in
                let isFirst = asked.remove(name) != nil
                guard isFirst || owners[name] != owner else { return }
                owners[name] = owner
                report()
            }
        } catch {
            asked.remove(name)
            log(.warning, "The bus name \(name) of a manifest cannot be followed: \(error.message)")
        }
    }

    /// Reports the manifests when all owners are known: for a manifest without its owner, no connection could use its
    /// ID.
    private func report() {
        guard asked.isEmpty else { return }
        hasReported = true
        defer { goOn() }
        onChange(
            manifests.map { manifest in
                var manifest = manifest
                manifest.owner = owners[manifest.busName]
                return manifest
            })
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
