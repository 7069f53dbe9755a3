internal import DBus
package import RoundelBus
internal import Setup
internal import Support

/// What a button can do about a finding, without a terminal.
package enum CheckupFix: Sendable, Equatable {
    /// Set Roundel up, as at its installation, with the helper for emblems or not.
    case setUp(emblems: Bool)
    /// Start the badge service of this version.
    case restartService(isManaged: Bool)
    /// Turn Roundel's own engine on.
    case turnOnBundled
    /// Start the worker.
    case startWorker
    /// Add a folder.
    case addFolder
    /// Show what is wrong with a folder.
    case showProblems(of: ItemURI?)
    /// Show a provider among the sync engines.
    case showEngine(String)

    /// The words on its button.
    package var label: String {
        switch self {
        case .setUp: tr("Set Up")
        case .restartService: tr("Restart")
        case .turnOnBundled: tr("Turn On")
        case .startWorker: tr("Try Again")
        case .addFolder: tr("Add a Folder")
        case .showProblems, .showEngine: tr("Show")
        }
    }

    /// What mends a finding; nil if nothing does without a terminal.
    init?(_ finding: Finding) {
        if case .providerStopped(let id, _) = finding.fact {
            self = .showEngine(id.rawValue)
            return
        }
        if case .workerKept(let obstacle) = finding.fact {
            switch obstacle {
            case .failed, .keepsFailing, .said: self = .startWorker
            case .masked, .programMissing: return nil
            }
            return
        }
        guard let remedy = finding.remedy else { return nil }
        switch remedy {
        case .setUp(_, let emblems): self = .setUp(emblems: emblems)
        case .restartService: self = .restartService(isManaged: true)
        case .replaceService: self = .restartService(isManaged: false)
        case .turnOnBundled: self = .turnOnBundled
        case .runWorker: self = .startWorker
        case .addFolder: self = .addFolder
        case .restoreFolder(let folder), .satisfy(let folder): self = .showProblems(of: try? ItemURI(folder.uri))
        case .seeActivity: self = .showProblems(of: nil)
        case .installService, .installManifest, .installEmblems, .buildPlugins, .installPlugin, .raiseWatchLimit,
            .installFuse, .seeDoctor, .runAsRoot, .addTray, .addNotifications, .addSidebar:
            return nil
        }
    }
}
