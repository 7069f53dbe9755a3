internal import BadgeService
internal import DBus
internal import RoundelBus
internal import Support

/// Shows the registered folders in the sidebars of file managers and in GTK 4's dialogs, through
/// `org.freedesktop.CloudProviders`: one account for each.
///
/// The file `share/cloud-providers/org.roundel.Roundel.ini` tells them which program to ask.
final class CloudProviders {
    private let host: LocalHost
    private let bus: Connection
    /// Thousands of accounts may appear at once; in portions, the rest of the service gets its turn in between.
    private lazy var work = PortionedWork(bus.loop, portion: Self.accountsPerPortion) { [unowned self] folder in
        settle(folder)
    }
    /// The current folders.
    private var folders: [ItemURI: Folder] = [:]
    /// The folders of the exported accounts, in the state that these show.
    private var shown: [ItemURI: Folder] = [:]
    /// The folders whose account will be updated.
    private var waiting: Set<ItemURI> = []
    private let manager: ObjectManager
    private var accounts: [ItemURI: CloudAccountObject] = [:]

    private static let accountsPerPortion = 16
    private static let path: ObjectPath = "/org/roundel/Roundel1/CloudProviders"
    private static let providerName = "Roundel"

    /// The data that an account shows.
    private struct Folder: Equatable {
        let folder: HostedFolder
        /// The IDs of the notices; a menu does not depend on how many items they concern.
        let notices: [String]

        /// Whether the menu may have changed, as far as known.
        func changesMenu(of old: Folder) -> Bool {
            folder.status.state != old.folder.status.state || notices != old.notices
        }
    }

    init(host: LocalHost, bus: Connection) throws {
        self.host = host
        self.bus = bus
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

    /// Updates the accounts for the current folders.
    private func update() {
        let notices = host.notices
        let present = host.folders.map { Folder(folder: $0, notices: (notices[$0.folder] ?? []).map(\.id)) }
        folders = Dictionary(present.map { ($0.folder.folder, $0) }) { first, _ in first }
        let gone = shown.keys.filter { folders[$0] == nil }
        let changed = present.filter { shown[$0.folder.folder] != $0 }.map(\.folder.folder)
        work.append(contentsOf: (gone + changed).filter { waiting.insert($0).inserted })
    }

    /// Updates one account for its folder.
    private func settle(_ folder: ItemURI) {
        waiting.remove(folder)
        let old = shown.removeValue(forKey: folder)
        guard let new = folders[folder] else {
            accounts.removeValue(forKey: folder)?.withdraw()
            return
        }
        shown[folder] = new
        if let account = accounts[folder] {
            account.update(new.folder, changesMenu: old.map { new.changesMenu(of: $0) } ?? true)
        } else {
            add(new.folder)
        }
    }

    private func add(_ folder: HostedFolder) {
        do {
            let path = try Self.path.appending(CloudAccount.identifier(of: folder.folder))
            let account = CloudAccountObject(folder, at: path, host: host, bus: bus)
            try account.export(in: manager)
            accounts[folder.folder] = account
        } catch {
            log(.error, "The folder \(folder.folder) cannot be shown in sidebars: \(error)")
        }
    }
}
