internal import MountProtocol
internal import RoundelBus
internal import Setup
internal import Support

/// Findings in words for somebody who uses no terminal.
enum CheckupWords {
    /// What was found.
    static func sentence(_ fact: Finding.Fact) -> String {
        switch fact {
        case .busAnswers: tr("The programs of your session can talk to each other.")
        case .noBus(let reason), .busUnusable(let reason):
            tr("The programs of your session cannot talk to each other: {1}", reason)
        case .serviceRuns: tr("The badge service runs.")
        case .otherVersion:
            tr("Roundel was updated, and the badge service that runs is still the earlier one.")
        case .serviceSilent(let reason): tr("The badge service does not answer: {1}", DisplayText.escaped(reason))
        case .serviceNotActivatable: tr("The badge service is not started by itself when it is needed.")
        case .service(let report):
            report.problem == nil ? tr("The badge service runs.") : tr("The badge service could not be started.")
        case .workerRuns: tr("Syncing works.")
        case .workerUnwatched: tr("Syncing is not told of changes at once, so it looks once a minute.")
        case .workerSilent(let reason), .workerNotStarted(let reason):
            tr("Syncing does not answer: {1}", DisplayText.escaped(reason))
        case .workerKept(let obstacle): sentence(obstacle)
        case .workerNotActivatable: tr("Syncing is not started by itself when it is needed.")
        case .providerStopped(let id, let reason):
            reason.isEmpty
                ? tr("The sync engine “{1}” is on and does not run.", id.rawValue)
                : tr("The sync engine “{1}” is on and does not run. {2}", id.rawValue, DisplayText.escaped(reason))
        case .noManifest: tr("A file of Roundel is missing, so it is not started with your session.")
        case .bundledOff: tr("Roundel is turned off, so its folders show no badges and no menus.")
        case .noWatchLimit: tr("How many directories can be watched for changes is not known.")
        case .watches(let used, let limit): watched(used, limit)
        case .fewWatches(let used, let limit):
            tr("{1} That is little for big folders.", watched(used, limit))
        case .watchesExhausted(let used, let limit):
            tr("{1} Changes in further ones are noticed late.", watched(used, limit))
        case .unwatchable(let folder):
            tr("Changes in “{1}” cannot be watched, so they are noticed late.", folder.sentencePath)
        case .noFolder: tr("No folder is synced yet.")
        case .folderNeeds(let folder), .folderFailed(let folder):
            folder.message.map { tr("{1}: {2}", place(folder), DisplayText.escaped($0)) }
                ?? tr("{1} needs you.", place(folder))
        case .folderMissing(let folder): tr("The folder “{1}” is missing.", place(folder))
        case .folderGood(let folder): tr("{1} is there.", place(folder))
        case .onDemand(.complete): tr("Folders can leave files on the server until they are opened.")
        case .onDemand(.noProgram), .onDemand(.noDevice):
            tr("Folders cannot leave files on the server until they are opened.")
        case .noFileManager: tr("No file manager is installed that Roundel has a plugin for.")
        case .standing(let standing, let manager): sentence(standing, of: manager.name)
        case .plugin(let report): tr("{1} was set up.", report.manager.name)
        case .emblems(let report): sentence(report)
        case .needsAdministrator: tr("Some steps need an administrator.")
        case .emblemsFound: tr("The pictures of the badges are installed.")
        case .noEmblems: tr("The pictures of the badges are not installed, so file managers have nothing to show.")
        case .tray(let isThere):
            isThere
                ? tr("The desktop has a system tray.")
                : tr("No system tray was found; Roundel's icon cannot show.")
        case .notifications(let isThere):
            isThere ? tr("Notifications can be shown.") : tr("Nothing on this desktop shows notifications.")
        case .sidebar(let isThere):
            isThere
                ? tr("Synced folders show in the sidebar of Files and of other programs.")
                : tr("Synced folders are not in the sidebar of Files and of other programs.")
        }
    }

    private static func sentence(_ obstacle: WorkerObstacle) -> String {
        switch obstacle {
        case .said(let text): tr("Syncing cannot start. {1}", DisplayText.escaped(text))
        case .programMissing: tr("Syncing cannot start, because a part of Roundel is missing. Install Roundel again.")
        case .masked: tr("Syncing cannot start, because it was turned off for your user.")
        case .failed, .keepsFailing: tr("Syncing ended unexpectedly and was not started again.")
        }
    }

    private static func sentence(_ standing: InstalledFileManager.Standing, of name: String) -> String {
        switch standing {
        case .inPlace, .named: tr("{1} shows badges and menus.", name)
        case .missing: tr("{1} does not load Roundel's plugin, so it shows no badges.", name)
        case .outdated: tr("{1} loads another version of Roundel's plugin.", name)
        case .notBuilt: tr("{1}: this installation has no plugin for it.", name)
        case .placeUnknown: tr("{1}: nothing says where it looks for plugins.", name)
        }
    }

    private static func sentence(_ report: EmblemReport) -> String {
        let names = TextList.of(report.names)
        return report.isRunning
            ? tr("{1}: emblems are on.", names)
            : report.isInstalled
                ? tr("{1}: emblems are off.", names)
                : tr("{1}: this installation has no helper for emblems.", names)
    }

    /// What to do where no button does it; nil if nothing needs to be said.
    static func advice(_ remedy: Finding.Remedy) -> String? {
        switch remedy {
        case .setUp, .replaceService, .restartService, .runWorker, .turnOnBundled, .addFolder, .restoreFolder, .satisfy,
            .seeActivity, .seeDoctor:
            nil
        case .installService, .installManifest, .installEmblems, .buildPlugins, .addSidebar:
            tr("Install Roundel again, with all its parts.")
        case .installPlugin(let command): tr("An administrator can install it: {1}", command)
        case .raiseWatchLimit(let limit):
            tr("An administrator can raise the limit fs.inotify.max_user_watches to {1}.", "\(limit)")
        case .installFuse: tr("An administrator can install fuse3.")
        case .runAsRoot(let command): tr("An administrator can run: {1}", Administrator.text(command))
        case .addTray: tr("Add the status tray to the panel; in GNOME install gnome-shell-extension-appindicator.")
        case .addNotifications: tr("Install a notification daemon, such as dunst or the one of your desktop.")
        }
    }

    /// Why it could not be looked, or set up.
    static func sentence(_ failure: SetupFailure) -> String {
        switch failure {
        case .installationUnknown: tr("It is not known where Roundel is installed.")
        case .cannotMake(let path, let error), .cannotRead(let path, let error), .cannotWrite(let path, let error),
            .cannotRemove(let path, let error):
            tr("“{1}” cannot be used: {2}.", "\(path)", "\(error)")
        case .notTheInstallers(let path), .foreignVariables(let path):
            tr("“{1}” belongs to somebody else.", "\(path)")
        case .stubborn(let program, _): tr("{1} does not end.", program)
        case .noHelper(let program), .helperNotStarted(let program), .helperEnded(let program):
            tr("{1} could not be started.", program)
        }
    }

    private static func watched(_ used: UInt32?, _ limit: UInt32) -> String {
        used.map { tr("{1} of {2} directories are watched for changes.", "\($0)", "\(limit)") }
            ?? tr("{1} directories can be watched for changes.", "\(limit)")
    }

    private static func place(_ folder: SyncFolderStatus) -> String {
        (try? ItemURI(folder.uri))?.sentencePath ?? folder.uri
    }
}
