internal import BadgeCore
internal import DBus
internal import RoundelBus

/// Keeps the engine informed of the installed manifests and of who owns their bus names.
final class ManifestTable {
    private unowned let hub: BadgeHub
    private let folders: ManifestFolders
    private var manifests: [Manifest] = []
    private var owners: [String: String] = [:]
    private var watches: [String: DBus.Registration] = [:]
    private var problems: [String] = []

    init(folders: ManifestFolders, hub: BadgeHub) {
        self.folders = folders
        self.hub = hub
    }

    /// The bus name in the manifest of a provider.
    func busName(of id: ProviderID) -> String? {
        manifests.first { $0.id == id }?.busName
    }

    /// Reads the manifests again and tells the engine if they have changed.
    func reload() {
        let found = folders.load()
        if found.problems != problems {
            problems = found.problems
            for problem in problems { log(.warning, problem) }
        }
        guard found.manifests != manifests else { return }
        manifests = found.manifests
        let names = Set(manifests.map(\.busName))
        for (name, watch) in watches where !names.contains(name) {
            watch.cancel()
            watches[name] = nil
            owners[name] = nil
        }
        for name in names where watches[name] == nil { follow(name) }
        tellEngine()
    }

    private func follow(_ name: String) {
        do {
            watches[name] = try hub.bus.watchName(name) { [unowned self] owner in
                guard owners[name] != owner else { return }
                owners[name] = owner
                tellEngine()
            }
        } catch {
            log(.warning, "The bus name \(name) of a manifest cannot be followed: \(error.message)")
        }
    }

    private func tellEngine() {
        hub.feed(
            .manifests(
                manifests.map { manifest in
                    var manifest = manifest
                    manifest.owner = owners[manifest.busName]
                    return manifest
                }))
    }
}
