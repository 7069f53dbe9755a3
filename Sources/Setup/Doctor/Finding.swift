package import MountProtocol
package import RoundelBus
package import SystemPackage

/// The result of one check of the installation.
package struct Finding: Sendable, Equatable {
    /// What was checked, by its word in JSON.
    package enum Subject: String, Sendable {
        case bus, service, worker, providers, watches, folders, plugins, tray, notifications, sidebar, icons
        case onDemand = "on-demand"
    }

    /// What the result means, by its word in JSON.
    package enum Verdict: String, Sendable {
        /// Everything is as it should be.
        case good
        /// It works, but could be better.
        case advice
        /// It does not work; the user can do something about it.
        case problem
    }

    /// What was checked.
    package let subject: Subject
    /// What the result means.
    package let verdict: Verdict
    /// The result.
    package let fact: Fact
    /// What would mend it.
    package let remedy: Remedy?

    init(_ subject: Subject, _ verdict: Verdict, _ fact: Fact, remedy: Remedy? = nil) {
        self.subject = subject
        self.verdict = verdict
        self.fact = fact
        self.remedy = remedy
    }

    /// Whether nothing works before this problem is solved.
    package var isFatal: Bool {
        if case .workerKept = fact { true } else { false }
    }
}

extension Finding {
    /// A result. Reasons are sentences of the bus or of a service.
    package enum Fact: Sendable, Equatable {
        // MARK: The bus and the services

        /// The bus answers.
        case busAnswers
        /// There is no bus, for this reason.
        case noBus(String)
        /// The bus cannot be used, for this reason.
        case busUnusable(String)
        /// The badge service runs and has this version of the interface.
        case serviceRuns(UInt32)
        /// The badge service has another version of the interface than expected, or does not report it.
        case otherVersion(UInt32?, expected: UInt32)
        /// The badge service does not answer, for this reason.
        case serviceSilent(String)
        /// The bus cannot start the badge service by itself.
        case serviceNotActivatable
        /// The badge service was set up, or could not be.
        case service(ServiceReport)
        /// The worker runs, and changes are reported to it.
        case workerRuns
        /// No changes are reported to the worker, so it scans once a minute.
        case workerUnwatched
        /// The worker does not answer, for this reason.
        case workerSilent(String)
        /// The worker could not be started, as the bus says.
        case workerNotStarted(String)
        /// The worker does not start, for this reason.
        case workerKept(WorkerObstacle)
        /// The bus cannot start the worker by itself.
        case workerNotActivatable
        /// The provider is enabled and does not run, for this reason, which may be empty.
        case providerStopped(ProviderID, String)
        /// The bundled provider has no manifest.
        case noManifest
        /// The user turned the bundled provider off.
        case bundledOff

        // MARK: Watches; the numbers used are nil if the badge service does not run

        /// The limit of watches cannot be read.
        case noWatchLimit
        /// There are enough watches.
        case watches(used: UInt32?, limit: UInt32)
        /// The limit is low.
        case fewWatches(used: UInt32?, limit: UInt32)
        /// The limit is as good as reached.
        case watchesExhausted(used: UInt32, limit: UInt32)
        /// The folder cannot be watched, so it is rescanned.
        case unwatchable(ItemURI)

        // MARK: Folders

        /// No folder is synced yet.
        case noFolder
        /// The folder needs the user.
        case folderNeeds(SyncFolderStatus)
        /// The folder does not exist.
        case folderMissing(SyncFolderStatus)
        /// Items of the folder could not be synced.
        case folderFailed(SyncFolderStatus)
        /// The folder is there.
        case folderGood(SyncFolderStatus)
        /// Whether there can be folders on demand.
        case onDemand(FuseSupport)

        // MARK: File managers

        /// No file manager is installed for which Roundel has a plugin.
        case noFileManager
        /// Whether the file manager finds its plugin.
        case standing(InstalledFileManager.Standing, of: SupportedFileManager)
        /// When the file manager has its plugin, after setup.
        case plugin(PluginReport)
        /// Whether emblems are on in file managers that do not report which directories they show.
        case emblems(EmblemReport)
        /// Some steps are left that only root can do.
        case needsAdministrator
        /// The emblems are in this directory of themes.
        case emblemsFound(FilePath)
        /// The emblems are in no icon theme.
        case noEmblems

        // MARK: The desktop

        /// Whether there is a system tray.
        case tray(Bool)
        /// Whether notifications can be shown.
        case notifications(Bool)
        /// Whether synced folders are in the sidebar of Files and of GTK dialogs.
        case sidebar(Bool)
    }

    /// What would mend something.
    package enum Remedy: Sendable, Equatable {
        /// To set Roundel up, with the word with which the user runs `roundel`.
        case setUp(command: String, emblems: Bool)
        /// To start the badge service in the place of the one that runs.
        case replaceService
        /// To restart the badge service, which the user manager runs.
        case restartService
        /// To install the bus's file for the service with this name.
        case installService(String)
        /// To install the manifest of the bundled provider.
        case installManifest
        /// To run the worker, which then says what it lacks.
        case runWorker
        /// To turn the bundled provider on.
        case turnOnBundled
        /// To install the emblems.
        case installEmblems
        /// To build and install the plugins.
        case buildPlugins
        /// To install a file manager's plugin with this command.
        case installPlugin(command: String)
        /// To raise the limit of watches to this number.
        case raiseWatchLimit(UInt32)
        /// To install what folders on demand need.
        case installFuse
        /// To sync a folder.
        case addFolder
        /// To restore or mount the folder, or to report its new place.
        case restoreFolder(SyncFolderStatus)
        /// To do what the folder needs.
        case satisfy(SyncFolderStatus)
        /// To look into the activity.
        case seeActivity
        /// To look into all findings.
        case seeDoctor
        /// To run this command as root.
        case runAsRoot([String])
        /// To add a system tray to the desktop.
        case addTray
        /// To install a notification daemon.
        case addNotifications
        /// To install the sidebar's file.
        case addSidebar
    }
}
