internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Keeps the engine informed of the installed manifests and of who owns their bus names.
final class ManifestTable {
    private unowned let hub: BadgeHub
    private let folders: ManifestFolders
    private var manifests: [Manifest] = []
    private var owners: [String: String] = [:]
    private var watches: [String: Registration] = [:]
    private var problems: [String] = []
    /// Names whose owner the bus has not told yet.
    private var asked: Set<String> = []
    /// What waits for these owners, in order.
    private var waiting: [() -> Void] = []
    private var hasTold = false

    init(folders: ManifestFolders, hub: BadgeHub) {
        self.folders = folders
        self.hub = hub
    }

    /// The bus name in the manifest of a provider.
    func busName(of id: ProviderID) -> String? {
        manifests.first { $0.id == id }?.busName
    }

    /// Reads the manifests again and reports them to the engine if they have changed.
    func reload() {
        let found = folders.load()
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
        if asked.isEmpty && waiting.isEmpty { body() } else { waiting.append(body) }
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
        while asked.isEmpty, !waiting.isEmpty { waiting.removeFirst()() }
    }
}
