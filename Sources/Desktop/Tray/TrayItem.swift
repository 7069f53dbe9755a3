internal import BadgeService
internal import DBus
internal import Launching
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The item in the tray, with its menu, while there is a tray.
final class TrayItem {
    private let menu: TrayMenu
    private let host: LocalHost
    private let bus: Connection
    private let opener: DesktopOpener
    private let files: TrayPixmaps
    private var exports: [Registration] = []
    private var folders: [HostedFolder] = []
    private var appearance: TrayAppearance
    /// The last values reported to panels of properties that change often.
    private var toldToolTip: [String]
    private lazy var pace = Pace(bus.loop, interval: Patience.Desktop.tray) { [unowned self] in tellOften() }

    init(host: LocalHost, bus: Connection) throws {
        self.host = host
        self.bus = bus
        opener = DesktopOpener(bus: bus, name: "roundeld")
        menu = TrayMenu(host: host, bus: bus, opener: opener)
        files = TrayPixmaps(folder: FilePath(host.resourcePath).appending("tray"))
        folders = host.folders
        appearance = TrayAppearance(folders: folders)
        toldToolTip = [appearance.headline, appearance.details]
        exports = [try bus.export(interface.closedToSandboxes(host.sandboxes), at: StatusNotifierItem.path)]
        exports.append(
            try bus.export(DBusMenu.make(for: menu).closedToSandboxes(host.sandboxes), at: TrayMenu.path))
        menu.show(folders)
        menu.refresh()
        host.onChange = { [weak self] in self?.changed($0) }
        host.onActionFinished = { [weak self] _ in self?.menu.refresh() }
    }

    /// Removes the item and its menu.
    func withdraw() {
        host.onChange = nil
        host.onActionFinished = nil
        for export in exports { export.cancel() }
        exports = []
    }

    private var interface: Interface {
        StatusNotifierItem(
            menu: TrayMenu.path, iconThemePath: host.iconThemePath, appearance: { [unowned self] in appearance },
            pixmaps: { [unowned self] in files.pixmaps(appearance.state.iconName) },
            activate: { [unowned self] in activate() },
            setActivationToken: { [menu] in menu.activationToken = $0 }
        ).exported
    }

    // MARK: Changes

    private func changed(_ properties: ChangedProperties) {
        let ofLines: ChangedProperties = [.toolbarItem, .consents, .newProviders, .addsFolders]
        guard !properties.isDisjoint(with: ofLines.union([.folders, .folderStatus])) else { return }
        let before = (states: states(folders), look: appearance)
        folders = host.folders
        appearance = TrayAppearance(folders: folders)
        if appearance.state != before.look.state {
            tell("NewIcon")
            tell("NewAttentionIcon")
        }
        if appearance.status != before.look.status {
            let status = appearance.status.rawValue
            tell("NewStatus") { try $0.append(status) }
        }
        // The providers' menu items depend on their folders and the folders' states, but not on their progress.
        let isProgress = properties.isDisjoint(with: ofLines) && states(folders) == before.states
        guard !isProgress else { return pace.request() }
        pace.run()
        menu.refresh()
    }

    private func states(_ folders: [HostedFolder]) -> [ItemURI: FolderState] {
        Dictionary(folders.map { ($0.folder, $0.state) }) { first, _ in first }
    }

    private func tellOften() {
        menu.show(folders)
        let toolTip = [appearance.headline, appearance.details]
        guard toolTip != toldToolTip else { return }
        toldToolTip = toolTip
        tell("NewToolTip")
    }

    private func tell(_ signal: String, _ write: (inout MessageWriter) throws -> Void = { _ in }) {
        do {
            try bus.emit(StatusNotifierItem.path, StatusNotifierItem.name, signal, write)
        } catch {
            logUnsent("\(signal) of the tray icon could not be sent", error)
        }
    }

    // MARK: Use

    /// Shows what needs attention in the window; without one, or if nothing does, opens the folder that needs it most,
    /// otherwise the first one.
    private func activate() {
        let options = ActivationOptions(activationToken: menu.takeActivationToken())
        let state = appearance.state.folderState
        guard let folder = folders.first(where: { $0.state == state }) ?? folders.first else { return }
        opener.lead(to: folder, options)
    }
}
