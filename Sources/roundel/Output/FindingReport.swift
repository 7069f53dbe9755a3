import MountProtocol
import RoundelBus
import Setup
import Support

extension Finding {
    /// `{"subject":…,"verdict":…,"text":…,"remedy":…}`.
    var json: JSON {
        .object([
            .init("subject", .string(subject.rawValue)), .init("verdict", .string(verdict.rawValue)),
            .init("text", .string(fact.text)), .init("remedy", .optional(remedy?.text, JSON.string)),
        ])
    }

    func lines(on terminal: Terminal) -> [String] {
        let (style, mark): (Style, String) =
            switch verdict {
            case .good: (.green, terminal.hasUnicode ? "✓" : "ok")
            case .advice: (.yellow, terminal.hasUnicode ? "•" : "--")
            case .problem: (.red, terminal.hasUnicode ? "✗" : "!!")
            }
        let indent = String(repeating: " ", count: DisplayWidth.of(mark) + 1)
        let first = style.apply(to: mark, on: terminal) + " " + DisplayText.escaped(fact.text)
        let second = remedy?.text.map { indent + Style.bold.apply(to: DisplayText.escaped($0), on: terminal) }
        return [first] + [second].compactMap(\.self)
    }
}

extension Finding.Fact {
    /// The result as a sentence.
    var text: String {
        switch self {
        case .busAnswers: tr("The session bus answers.")
        case .noBus(let reason): reason
        case .busUnusable(let reason): tr("The session bus cannot be used: {1}", reason)
        case .serviceRuns(let version): tr("The badge service runs (interface version {1}).", "\(version)")
        case .otherVersion(let version, let expected):
            Self.serviceVersion(version.map(String.init), expected: "\(expected)")
        case .serviceSilent(let reason): tr("The badge service does not answer: {1}", reason)
        case .serviceNotActivatable: tr("The bus does not know how to start the badge service by itself.")
        case .service(let report): report.text
        case .workerRuns: tr("The sync worker runs and is told of changes.")
        case .workerUnwatched: tr("The sync worker is not told of changes, so it scans once a minute.")
        case .workerSilent(let reason): tr("The sync worker does not answer: {1}", reason)
        case .workerNotStarted(let reason): tr("The sync worker could not be started: {1}", reason)
        case .workerKept(let obstacle): obstacle.sentence
        case .workerNotActivatable: tr("The bus does not know how to start the sync worker by itself.")
        case .providerStopped(let id, let reason): Self.providerStopped(id.rawValue, because: reason)
        case .noManifest: tr("The bundled provider has no manifest, so it is not started with the session.")
        case .bundledOff: tr("Roundel is turned off as a provider, so its folders show no badges and no menus.")
        case .noWatchLimit: tr("The limit of watched directories cannot be read from /proc/sys/fs/inotify.")
        case .watches(let used, let limit): Self.watched(used, of: limit)
        case .fewWatches(let used, let limit): Self.fewWatches(used, of: limit)
        case .watchesExhausted(let used, let limit):
            tr(
                "{1} of {2} directories are watched: the limit is as good as reached, further folders are rescanned.",
                "\(used)", "\(limit)")
        case .unwatchable(let folder):
            tr(
                "“{1}” cannot be watched (a network or FUSE file system, or no watches left), so it is rescanned.",
                folder.displayPath)
        case .noFolder: tr("No folder is synced yet.")
        case .folderNeeds(let folder): Self.folderNeeds(WorkerPath.sentence(folder.uri), because: folder.message)
        case .folderMissing(let folder): tr("The folder “{1}” is missing.", WorkerPath.sentence(folder.uri))
        case .folderFailed(let folder): Self.folderFailed(WorkerPath.sentence(folder.uri), because: folder.message)
        case .folderGood(let folder):
            Self.folderGood(WorkerPath.sentence(folder.uri), folder.state)
        case .onDemand(.complete): tr("Folders can be on demand.")
        case .onDemand(.noProgram): tr("Folders cannot be on demand, because fusermount3 is not installed.")
        case .onDemand(.noDevice): tr("Folders cannot be on demand, because /dev/fuse cannot be used here.")
        case .noFileManager:
            tr("No file manager is installed that Roundel has a plugin for; badges show in the terminal.")
        case .standing(let standing, let manager): standing.text(of: manager.name)
        case .plugin(let report): report.text
        case .emblems(let report): report.text
        case .needsAdministrator: tr("The system's directories are root's alone. As an administrator, run:")
        case .emblemsFound(let directory): tr("The emblems are in {1}.", directory.displayed)
        case .noEmblems: tr("The emblems are in no icon theme, so file managers have nothing to show.")
        case .tray(let isThere):
            isThere ? tr("The desktop has a system tray.") : tr("No system tray was found; Roundel's icon cannot show.")
        case .notifications(let isThere):
            isThere
                ? tr("Notifications can be shown.")
                : tr("Nothing on the bus shows notifications; `roundel status` says what needs you.")
        case .sidebar(let isThere):
            isThere
                ? tr("Synced folders show in the sidebar of Files and of GTK dialogs.")
                : tr("Synced folders are not in the sidebar of Files and of GTK dialogs.")
        }
    }

    private static func serviceVersion(_ version: String?, expected: String) -> String {
        version.map { tr("The badge service has interface version {1}, this command expects {2}.", $0, expected) }
            ?? tr("The badge service does not say its interface version, this command expects {1}.", expected)
    }

    private static func providerStopped(_ id: String, because reason: String) -> String {
        reason.isEmpty
            ? tr("The provider {1} is enabled and does not run.", id)
            : tr("The provider {1} is enabled and does not run. {2}", id, reason)
    }

    private static func folderNeeds(_ path: String, because reason: String?) -> String {
        reason.map { tr("{1}: {2}", path, $0) } ?? tr("{1} needs you.", path)
    }

    private static func folderFailed(_ path: String, because reason: String?) -> String {
        reason.map { tr("{1}: {2}", path, $0) } ?? tr("{1}: some items could not be synced.", path)
    }

    private static func folderGood(_ path: String, _ state: Badge) -> String {
        switch CommonBadge(state) {
        case .synced: tr("{1} is there: synced.", path)
        case .pending: tr("{1} is there: waiting to sync.", path)
        case .syncing: tr("{1} is there: syncing.", path)
        case .paused: tr("{1} is there: paused.", path)
        case .error, .conflict, .excluded, .onlineOnly, nil: tr("{1} is there.", path)
        }
    }

    private static func watched(_ used: UInt32?, of limit: UInt32) -> String {
        used.map { tr("{1} of {2} directories are watched.", "\($0)", "\(limit)") }
            ?? tr("{1} directories can be watched.", "\(limit)")
    }

    private static func fewWatches(_ used: UInt32?, of limit: UInt32) -> String {
        used.map { tr("{1} of {2} directories are watched, which is little for big folders.", "\($0)", "\(limit)") }
            ?? tr("{1} directories can be watched, which is little for big folders.", "\(limit)")
    }
}

extension Finding.Remedy {
    /// What to do, as a sentence or command; nil if the result says it.
    var text: String? {
        switch self {
        case .setUp(let command, let emblems): ShellWord.quoted(command) + " setup" + (emblems ? " --emblems" : "")
        case .replaceService: "roundeld --replace &"
        case .restartService: "systemctl --user restart roundeld"
        case .installService(let name):
            tr("Install {1}.service below share/dbus-1/services of a directory in XDG_DATA_DIRS.", name)
        case .runWorker: tr("To see why, run: roundel-worker")
        case .turnOnBundled: "roundel providers enable roundel"
        case .installManifest:
            tr("Install roundel.provider below share/roundel/providers of a directory in XDG_DATA_DIRS.")
        case .installEmblems: tr("Install the hicolor folder below share/icons of a directory in XDG_DATA_DIRS.")
        case .buildPlugins:
            tr("Install its developer files (packaging/deps.sh plugins), then build and install Roundel again.")
        case .installPlugin(let command): command
        case .raiseWatchLimit(let limit):
            "echo fs.inotify.max_user_watches=\(limit) | sudo tee /etc/sysctl.d/60-roundel.conf "
                + "&& sudo sysctl --system"
        case .installFuse: "sudo apt install fuse3"
        case .addFolder: "roundel add PATH REMOTE"
        case .restoreFolder(let folder):
            tr("Restore or mount it, or, if you moved it: roundel relocate {1} NEW", WorkerPath.shellWord(folder.uri))
        case .satisfy(let folder): Needs.remedy(folder)
        case .seeActivity: "roundel activity"
        case .seeDoctor: "roundel doctor"
        case .runAsRoot(let command): Administrator.text(command)
        case .addTray: tr("Add the status tray to the panel; in GNOME install gnome-shell-extension-appindicator.")
        case .addNotifications: tr("Install a notification daemon, such as dunst or the one of your desktop.")
        case .addSidebar:
            tr(
                """
                Install Roundel's .ini file below share/cloud-providers of a directory in XDG_DATA_DIRS, not in \
                XDG_DATA_HOME, which they do not read.
                """)
        }
    }
}

extension InstalledFileManager.Standing {
    fileprivate func text(of name: String) -> String {
        switch self {
        case .inPlace, .named: tr("{1} finds Roundel's plugin.", name)
        case .missing: tr("{1} does not load Roundel's plugin, so it shows no badges.", name)
        case .outdated: tr("{1} loads another version of Roundel's plugin.", name)
        case .notBuilt: PluginReport.notBuilt(name)
        case .placeUnknown: PluginReport.placeUnknown(name)
        }
    }
}

extension PluginReport {
    fileprivate var text: String {
        let name = manager.name
        return switch state {
        case .ready: tr("{1}: ready now.", name)
        case .nextStart: Self.pluginNextStart(name, quit: quit)
        case .nextLogin: tr("{1}: ready after your next login.", name)
        case .administrator: tr("{1}: needs an administrator.", name)
        case .notBuilt: Self.notBuilt(name)
        case .placeUnknown: Self.placeUnknown(name)
        case .removed: tr("{1}: Roundel's plugin is removed.", name)
        case .stays: tr("{1}: its plugin stays: it came with an installation, and goes with that.", name)
        case .removedAtNextStart: Self.pluginRemovedAtNextStart(name, quit: quit)
        }
    }

    fileprivate static func notBuilt(_ manager: String) -> String {
        tr("{1}: this installation has no plugin for it.", manager)
    }

    fileprivate static func placeUnknown(_ manager: String) -> String {
        tr("{1}: nothing says where it looks for plugins.", manager)
    }

    /// - Parameter quit: The command that ends the running process; nil if closing its windows does that.
    static func pluginNextStart(_ manager: String, quit: String?) -> String {
        quit.map { tr("{1}: ready after its next start. It runs now; end it with: {2}", manager, $0) }
            ?? tr("{1}: ready after its next start.", manager)
    }

    private static func pluginRemovedAtNextStart(_ manager: String, quit: String?) -> String {
        quit.map {
            tr(
                "{1}: Roundel's plugin is removed, which shows after its next start. It runs now; end it with: {2}",
                manager, $0)
        } ?? tr("{1}: Roundel's plugin is removed, which shows after its next start.", manager)
    }
}

extension EmblemReport {
    fileprivate var text: String {
        if let problem { return problem.text }
        if isRunning { return tr("{1}: emblems are on.", Self.list(names)) }
        return isInstalled
            ? tr("{1}: emblems are off.", Self.list(names))
            : tr("{1}: this installation has no helper for emblems.", Self.list(names))
    }

    /// A list of names.
    private static func list(_ names: [String]) -> String {
        guard names.count == 2 else { return TextList.of(names) }
        return tr("{1} and {2}", names[0], names[1])
    }
}

extension ServiceReport {
    fileprivate var text: String {
        problem?.text
            ?? (isEnabled
                ? tr("The badge service runs, and starts with each session.")
                : tr("The badge service runs; the bus starts it when a program asks for it."))
    }
}

extension ServiceProblem {
    /// The problem as a sentence.
    var text: String {
        switch self {
        case .noBus: tr("There is no session bus here, so no service was started.")
        case .refused(let error): ErrorSentence.of(error)
        case .failed(let failure): ErrorSentence.of(failure)
        case .other(let description): description
        }
    }
}
