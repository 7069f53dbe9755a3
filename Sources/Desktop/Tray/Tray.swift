internal import BadgeService
internal import DBus
internal import RoundelBus
internal import Support

/// Shows the item in the current tray and in any that starts later. Without a tray it costs one watched name.
final class Tray {
    private let host: LocalHost
    private let bus: Connection
    private var watch: DBus.Registration?
    private var item: TrayItem?

    private static let watcher = "org.kde.StatusNotifierWatcher"
    private static let watcherPath: ObjectPath = "/StatusNotifierWatcher"

    init(host: LocalHost, bus: Connection) throws {
        self.host = host
        self.bus = bus
        watch = try bus.watchName(Self.watcher) { [weak self] owner in self?.watcherChanged(owner) }
    }

    private func watcherChanged(_ owner: String?) {
        guard let owner else {
            item?.withdraw()
            item = nil
            return
        }
        do {
            if item == nil { item = try TrayItem(host: host, bus: bus) }
            register(at: owner)
        } catch {
            log(.error, "The tray icon cannot be shown: \(error)")
        }
    }

    /// The call goes to the current connection of the watcher; if another one replaces it, the item is registered
    /// again.
    private func register(at owner: String) {
        bus.call(
            owner, Self.watcherPath, Self.watcher, "RegisterStatusNotifierItem",
            { [name = bus.uniqueName] in try $0.append(name) }
        ) { [host] result in
            host.didRareWork()
            guard case .failure(let error) = result, error.standard != .serviceUnknown, error.standard != .noReply
            else { return }
            log(.warning, "The tray does not accept Roundel's icon: \(error.message)")
        }
    }
}
