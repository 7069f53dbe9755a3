internal import BadgeEngine
internal import BadgeService
internal import DBus
internal import RoundelBus
internal import Support

/// The registered folders in the sidebars of file managers and in GTK 4's dialogs, as `org.freedesktop.CloudProviders`
/// has it: one account for each.
///
/// Which program to ask they learn from `share/cloud-providers/org.roundel.Roundel.ini`.
final class CloudProviders {
    private let host: LocalHost
    private let bus: Connection
    private let manager: ObjectManager
    private var accounts: [ItemURI: CloudAccountObject] = [:]
    /// What the menus depend on, as far as anything tells it.
    private var menuStates: [ItemURI: MenuState] = [:]

    private static let path: ObjectPath = "/org/roundel/Roundel1/CloudProviders"
    private static let providerName = "Roundel"

    private struct MenuState: Equatable {
        let state: FolderState
        /// The ids of the notices; how many items they concern is not for a menu.
        let notices: [String]
    }

    init(hub: BadgeHub) throws {
        host = hub.localHost(named: "sidebar")
        bus = hub.bus
        manager = try ObjectManager(at: Self.path, on: bus)
        _ = try manager.export(
            Interface(
                "org.freedesktop.CloudProviders.Provider",
                properties: [.init("Name", "s", .const) { try $0.append(Self.providerName) }]),
            at: try Self.path.appending("Provider"))
        host.onChange = { [weak self] changed in
            if !changed.isDisjoint(with: [.folders, .folderStatus, .notices]) { self?.update() }
        }
        update()
    }

    /// Brings the accounts in line with the folders.
    private func update() {
        let folders = host.folders
        let notices = host.notices
        let present = Set(folders.map(\.folder))
        for (folder, account) in accounts where !present.contains(folder) {
            account.withdraw()
            accounts[folder] = nil
            menuStates[folder] = nil
        }
        for folder in folders {
            let state = MenuState(state: folder.status.state, notices: (notices[folder.folder] ?? []).map(\.id))
            if let account = accounts[folder.folder] {
                account.update(folder, changesMenu: menuStates[folder.folder] != state)
            } else {
                add(folder)
            }
            menuStates[folder.folder] = state
        }
    }

    private func add(_ folder: HostedFolder) {
        do {
            let path = try Self.path.appending(CloudAccount.identifier(of: folder.folder))
            let account = CloudAccountObject(folder, at: path, host: host, bus: bus)
            try account.export(in: manager)
            accounts[folder.folder] = account
        } catch {
            log(.error, Texts.notInSidebar("\(folder.folder)", because: "\(error)"))
        }
    }
}
