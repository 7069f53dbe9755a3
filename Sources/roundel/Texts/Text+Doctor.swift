import RoundelBus
import Support

// The texts of `roundel doctor`.
extension Text {
    static var busAnswers: String { Phrase.text("The session bus answers.") }
    static func busUnusable(_ reason: String) -> String { Phrase.text("The session bus cannot be used: {1}", reason) }

    static func serviceRuns(_ version: String) -> String {
        Phrase.text("The badge service runs (interface version {1}).", version)
    }

    static func serviceVersion(_ version: String?, expected: String) -> String {
        version.map {
            Phrase.text("The badge service has interface version {1}, this command expects {2}.", $0, expected)
        }
            ?? Phrase.text("The badge service does not say its interface version, this command expects {1}.", expected)
    }

    static func serviceSilent(_ reason: String) -> String {
        Phrase.text("The badge service does not answer: {1}", reason)
    }

    static var workerLate: String {
        Phrase.text(
            "The sync worker does not answer yet, so its folders are not known. Try again, or see: roundel doctor")
    }

    static func workerSilent(_ reason: String) -> String {
        Phrase.text("The sync worker does not answer: {1}", reason)
    }

    static var workerRuns: String { Phrase.text("The sync worker runs and is told of changes.") }
    static var workerUnwatched: String {
        Phrase.text("The sync worker is not told of changes, so it scans once a minute.")
    }

    static var serviceNotActivatable: String {
        Phrase.text("The bus does not know how to start the badge service by itself.")
    }
    static var workerNotActivatable: String {
        Phrase.text("The bus does not know how to start the sync worker by itself.")
    }

    static func installService(_ name: String) -> String {
        Phrase.text("Install {1}.service below share/dbus-1/services of a directory in XDG_DATA_DIRS.", name)
    }

    static func providerStopped(_ id: String, because reason: String) -> String {
        reason.isEmpty
            ? Phrase.text("The provider {1} is enabled and does not run.", id)
            : Phrase.text("The provider {1} is enabled and does not run. {2}", id, reason)
    }

    static var noManifest: String {
        Phrase.text("The bundled provider has no manifest, so it is not started with the session.")
    }

    static var installManifest: String {
        Phrase.text("Install roundel.provider below share/roundel/providers of a directory in XDG_DATA_DIRS.")
    }

    static var noFolderYet: String { Phrase.text("No folder is synced yet.") }

    static func folderNeeds(_ path: String, because reason: String?) -> String {
        reason.map { Phrase.text("{1}: {2}", path, $0) } ?? Phrase.text("{1} needs you.", path)
    }

    static func folderMissing(_ path: String) -> String { Phrase.text("The folder “{1}” is missing.", path) }

    static func restoreFolder(_ word: String) -> String {
        Phrase.text("Restore or mount it, or, if you moved it: roundel relocate {1} NEW", word)
    }

    static func folderFailed(_ path: String, because reason: String?) -> String {
        reason.map { Phrase.text("{1}: {2}", path, $0) } ?? Phrase.text("{1}: some items could not be synced.", path)
    }

    static func folderGood(_ path: String, state: String) -> String { Phrase.text("{1} is there: {2}.", path, state) }

    static func emblemsIn(_ path: String) -> String { Phrase.text("The emblems are in {1}.", path) }
    static var noEmblems: String {
        Phrase.text("The emblems are in no icon theme, so file managers have nothing to show.")
    }
    static var installEmblems: String {
        Phrase.text("Install the hicolor folder below share/icons of a directory in XDG_DATA_DIRS.")
    }
}

// MARK: - Watches

extension Text {
    static var noWatchLimit: String {
        Phrase.text("The limit of watched directories cannot be read from /proc/sys/fs/inotify.")
    }

    static func watched(_ used: UInt32?, of limit: UInt32) -> String {
        used.map { Phrase.text("{1} of {2} directories are watched.", "\($0)", "\(limit)") }
            ?? Phrase.text("{1} directories can be watched.", "\(limit)")
    }

    static func watchesExhausted(_ used: UInt32, of limit: UInt32) -> String {
        Phrase.text(
            "{1} of {2} directories are watched: the limit is as good as reached, further folders are rescanned.",
            "\(used)", "\(limit)")
    }

    static func fewWatches(_ used: UInt32?, of limit: UInt32) -> String {
        used.map {
            Phrase.text("{1} of {2} directories are watched, which is little for big folders.", "\($0)", "\(limit)")
        }
            ?? Phrase.text("{1} directories can be watched, which is little for big folders.", "\(limit)")
    }

    static func unwatchable(_ path: String) -> String {
        Phrase.text(
            "“{1}” cannot be watched (a network or FUSE file system, or no watches left), so it is rescanned.", path)
    }
}

// MARK: - The desktop

extension Text {
    static var hasTray: String { Phrase.text("The desktop has a system tray.") }
    static var noTray: String { Phrase.text("No system tray was found; Roundel's icon cannot show.") }
    static var addTray: String {
        Phrase.text("Add the status tray to the panel; in GNOME install gnome-shell-extension-appindicator.")
    }

    static var hasNotifications: String { Phrase.text("Notifications can be shown.") }
    static var noNotifications: String {
        Phrase.text("Nothing on the bus shows notifications; `roundel status` says what needs you.")
    }
    static var addNotifications: String {
        Phrase.text("Install a notification daemon, such as dunst or the one of your desktop.")
    }

    static var hasSidebar: String {
        Phrase.text("Synced folders show in the sidebar of Files and of GTK dialogs.")
    }
    static var noSidebar: String {
        Phrase.text("Synced folders are not in the sidebar of Files and of GTK dialogs.")
    }
    static var addSidebar: String {
        Phrase.text(
            """
            Install Roundel's .ini file below share/cloud-providers of a directory in XDG_DATA_DIRS, \
            not in XDG_DATA_HOME, which they do not read.
            """)
    }
}

// MARK: - Plugins

extension Text {
    static var noFileManager: String {
        Phrase.text("No file manager is installed that Roundel has a plugin for; badges show in the terminal.")
    }

    static func pluginLoads(_ manager: String) -> String { Phrase.text("{1} finds Roundel's plugin.", manager) }
    static func pluginMissing(_ manager: String) -> String {
        Phrase.text("{1} does not load Roundel's plugin, so it shows no badges.", manager)
    }
    static func pluginOutdated(_ manager: String) -> String {
        Phrase.text("{1} loads another version of Roundel's plugin.", manager)
    }
    static func pluginNotBuilt(_ manager: String) -> String {
        Phrase.text("{1}: this installation has no plugin for it.", manager)
    }
    static func pluginPlaceUnknown(_ manager: String) -> String {
        Phrase.text("{1}: nothing says where it looks for plugins.", manager)
    }
    static var buildPlugins: String {
        Phrase.text("Install its developer files (packaging/deps.sh plugins), then build and install Roundel again.")
    }

    static func emblemsOn(_ managers: [String]) -> String { Phrase.text("{1}: emblems are on.", list(managers)) }
    static func emblemsOff(_ managers: [String]) -> String { Phrase.text("{1}: emblems are off.", list(managers)) }
    static func emblemsNotBuilt(_ managers: [String]) -> String {
        Phrase.text("{1}: this installation has no helper for emblems.", list(managers))
    }

    /// A list of names.
    static func list(_ names: [String]) -> String {
        guard names.count == 2 else { return names.joined(separator: ", ") }
        return Phrase.text("{1} and {2}", names[0], names[1])
    }
}
