internal import RoundelBus
internal import Support
internal import SystemPackage

/// Where a person's Syncthing keeps its configuration, and what that says.
struct SyncthingPlace: Equatable, Sendable {
    /// Why Syncthing cannot be asked.
    enum Trouble: Equatable, Error, Sendable {
        /// It has no configuration: it never ran.
        case neverRan
        case unreadable(String)
        /// Its interface is switched off, or not reached from this computer alone.
        case noInterface
        case notLocal(String)
    }

    let settings: SettingsText
    let address: GuiAddress
    /// The certificate that it shows, in PEM; nil without TLS.
    let certificate: [UInt8]?

    /// The largest configuration that is read, in bytes.
    private static let mostBytes = 16 << 20

    /// The directories that its configuration may be in, the most likely first: those that its environment names,
    /// then the old place, which it goes on using where it has used it, then the new one.
    static func directories(
        _ base: BaseDirectories, _ variable: (String) -> String? = ProcessEnvironment.text
    ) -> [FilePath] {
        let named = ["STCONFDIR", "STHOMEDIR"].compactMap(variable).filter { $0.hasPrefix("/") }.map { FilePath($0) }
        return named + [base.configuration, base.state].compactMap { $0?.appending("syncthing") }
    }

    /// Reads the configuration. It waits for the disk.
    static func read(_ directories: [FilePath]) throws(Trouble) -> SyncthingPlace {
        for directory in directories {
            let file = directory.appending("config.xml")
            let bytes: [UInt8]?
            do { bytes = try SmallFile.read(file, limit: mostBytes) } catch { throw .unreadable("\(file): \(error)") }
            guard let bytes else { continue }
            guard let settings = SettingsText(bytes) else { throw .unreadable("\(file)") }
            guard settings.hasInterface, !settings.key.isEmpty else { throw .noInterface }
            guard let address = GuiAddress(settings.address) else { throw .notLocal(settings.address) }
            guard settings.usesTLS else {
                return SyncthingPlace(settings: settings, address: address, certificate: nil)
            }
            let certificate = directory.appending("https-cert.pem")
            guard let pem = try? SmallFile.read(certificate, limit: mostBytes) else {
                throw .unreadable("\(certificate)")
            }
            return SyncthingPlace(settings: settings, address: address, certificate: pem)
        }
        throw .neverRan
    }

    /// The folders that the configuration names, for as long as Syncthing itself does not tell.
    func folders(home: String) -> [FolderSettings] {
        settings.folders.compactMap { folder in
            SyncthingConfiguration.root(folder.path, home: home).map { root in
                FolderSettings(
                    id: folder.id, label: folder.label, root: root,
                    direction: FolderSettings.Direction(rawValue: folder.type) ?? .both, isPaused: folder.isPaused,
                    devices: folder.devices)
            }
        }
    }
}
