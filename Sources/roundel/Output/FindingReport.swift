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
        case .busAnswers: Text.busAnswers
        case .noBus(let reason): reason
        case .busUnusable(let reason): Text.busUnusable(reason)
        case .serviceRuns(let version): Text.serviceRuns("\(version)")
        case .otherVersion(let version, let expected):
            Text.serviceVersion(version.map(String.init), expected: "\(expected)")
        case .serviceSilent(let reason): Text.serviceSilent(reason)
        case .serviceNotActivatable: Text.serviceNotActivatable
        case .service(let report): report.text
        case .workerRuns: Text.workerRuns
        case .workerUnwatched: Text.workerUnwatched
        case .workerSilent(let reason): Text.workerSilent(reason)
        case .workerRefuses(let reason): reason
        case .workerNotActivatable: Text.workerNotActivatable
        case .providerStopped(let id, let reason): Text.providerStopped(id.rawValue, because: reason)
        case .noManifest: Text.noManifest
        case .noWatchLimit: Text.noWatchLimit
        case .watches(let used, let limit): Text.watched(used, of: limit)
        case .fewWatches(let used, let limit): Text.fewWatches(used, of: limit)
        case .watchesExhausted(let used, let limit): Text.watchesExhausted(used, of: limit)
        case .unwatchable(let folder): Text.unwatchable(folder.displayPath)
        case .noFolder: Text.noFolderYet
        case .folderNeeds(let folder): Text.folderNeeds(WorkerPath.sentence(folder.uri), because: folder.message)
        case .folderMissing(let folder): Text.folderMissing(WorkerPath.sentence(folder.uri))
        case .folderFailed(let folder): Text.folderFailed(WorkerPath.sentence(folder.uri), because: folder.message)
        case .folderGood(let folder):
            Text.folderGood(
                WorkerPath.sentence(folder.uri), state: BadgeAppearance.of(folder.state).label.lowercased())
        case .noFileManager: Text.noFileManager
        case .standing(let standing, let manager): standing.text(of: manager.name)
        case .plugin(let report): report.text
        case .emblems(let report): report.text
        case .needsAdministrator: Text.runAsRoot
        case .emblemsFound(let directory): Text.emblemsIn(directory.displayed)
        case .noEmblems: Text.noEmblems
        case .tray(let isThere): isThere ? Text.hasTray : Text.noTray
        case .notifications(let isThere): isThere ? Text.hasNotifications : Text.noNotifications
        case .sidebar(let isThere): isThere ? Text.hasSidebar : Text.noSidebar
        }
    }
}

extension Finding.Remedy {
    /// What to do, as a sentence or command; nil if the result says it.
    var text: String? {
        switch self {
        case .setUp(let command, let emblems): ShellWord.quoted(command) + " setup" + (emblems ? " --emblems" : "")
        case .replaceService: "roundeld --replace &"
        case .restartService: "systemctl --user restart roundeld"
        case .installService(let name): Text.installService(name)
        case .installManifest: Text.installManifest
        case .installEmblems: Text.installEmblems
        case .buildPlugins: Text.buildPlugins
        case .raiseWatchLimit(let limit):
            "echo fs.inotify.max_user_watches=\(limit) | sudo tee /etc/sysctl.d/60-roundel.conf "
                + "&& sudo sysctl --system"
        case .addFolder: "roundel add PATH REMOTE"
        case .restoreFolder(let folder): Text.restoreFolder(WorkerPath.shellWord(folder.uri))
        case .satisfy(let folder): Needs.remedy(folder)
        case .seeActivity: "roundel activity"
        case .seeDoctor: "roundel doctor"
        case .runAsRoot(let command): Administrator.text(command)
        case .addTray: Text.addTray
        case .addNotifications: Text.addNotifications
        case .addSidebar: Text.addSidebar
        }
    }
}

extension InstalledFileManager.Standing {
    fileprivate func text(of name: String) -> String {
        switch self {
        case .inPlace, .named: Text.pluginLoads(name)
        case .missing: Text.pluginMissing(name)
        case .outdated: Text.pluginOutdated(name)
        case .notBuilt: Text.pluginNotBuilt(name)
        case .placeUnknown: Text.pluginPlaceUnknown(name)
        }
    }
}

extension PluginReport {
    fileprivate var text: String {
        let name = manager.name
        return switch state {
        case .ready: Text.pluginReady(name)
        case .nextStart: Text.pluginNextStart(name, quit: quit)
        case .nextLogin: Text.pluginNextLogin(name)
        case .administrator: Text.pluginNeedsRoot(name)
        case .notBuilt: Text.pluginNotBuilt(name)
        case .placeUnknown: Text.pluginPlaceUnknown(name)
        case .removed: Text.pluginRemoved(name)
        case .stays: Text.pluginStays(name)
        case .removedAtNextStart: Text.pluginRemovedAtNextStart(name, quit: quit)
        }
    }
}

extension EmblemReport {
    fileprivate var text: String {
        if let problem { return problem.text }
        if isRunning { return Text.emblemsOn(names) }
        return isInstalled ? Text.emblemsOff(names) : Text.emblemsNotBuilt(names)
    }
}

extension ServiceReport {
    fileprivate var text: String {
        problem?.text ?? (isEnabled ? Text.serviceEnabled : Text.serviceOnDemand)
    }
}

extension ServiceProblem {
    /// The problem as a sentence.
    var text: String {
        switch self {
        case .noBus: Text.noBusForServices
        case .refused(let error): ErrorSentence.of(error)
        case .failed(let failure): ErrorSentence.of(failure)
        case .other(let description): description
        }
    }
}
