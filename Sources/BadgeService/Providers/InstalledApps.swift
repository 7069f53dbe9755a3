internal import RoundelBus
internal import Support
internal import SystemPackage

/// What people know the apps by that Flatpak and Snap have installed: the names and icons of their desktop entries, which
/// stand where these two put them, and nowhere that a program in a sandbox could write to of itself.
struct InstalledApps: Sendable {
    private let flatpaks: [FilePath]
    private let snaps: FilePath
    private let locales: [String]

    /// - Parameters:
    ///   - flatpaks: The directories with the entries that Flatpak has exported, the most important first.
    ///   - snaps: The directory with those of Snap.
    init(flatpaks: [FilePath], snaps: FilePath, locales: [String]) {
        (self.flatpaks, self.snaps, self.locales) = (flatpaks, snaps, locales)
    }

    /// Those of the system and of this user, in the languages of the session.
    static var ofUser: InstalledApps {
        let exports = FilePath("flatpak/exports/share/applications").components
        let own = BaseDirectories().data.map { $0.appending(exports) }
        return InstalledApps(
            flatpaks: ["/var/lib/flatpak/exports/share/applications"] + [own].compactMap(\.self),
            snaps: "/var/lib/snapd/desktop/applications", locales: Locales.ofSession)
    }

    /// What people know an app by. May block.
    func program(of app: SandboxedApp) -> SandboxedProgram {
        let entries: [FilePath] =
            switch app.kind {
            case .flatpak: flatpaks.map { $0.appending(app.id + ".desktop") }
            case .snap: [snaps.appending("\(app.id)_\(app.id).desktop")]
            }
        for entry in entries {
            let bytes = (try? SmallFile.read(entry, limit: Self.largest)) ?? nil
            guard let bytes else { continue }
            let file = KeyFile(parsing: String(decoding: bytes, as: UTF8.self))
            let name = file.localized("Name", in: Self.group, locales: locales) ?? ""
            let icon = file.localized("Icon", in: Self.group, locales: locales) ?? ""
            return SandboxedProgram(
                app: app, name: name.isWithin(Limits.providerText) ? name : "", icon: icon.isIconName ? icon : "")
        }
        return SandboxedProgram(app: app)
    }

    private static let group = "Desktop Entry"
    private static let largest = 1 << 20
}
