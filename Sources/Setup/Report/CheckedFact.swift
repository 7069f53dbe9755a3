internal import DBus
internal import MountProtocol
internal import RoundelBus

/// A finding in words of our own, without paths and names: for programs, tests and bug trackers rather than for persons.
package struct CheckedFact: Sendable, Equatable {
    /// What was checked.
    package let subject: String
    /// What the result means.
    package let verdict: String
    /// The result.
    package let fact: String
    /// The sentence of a service about it, which may have anything in it.
    package let reason: String?

    /// A fact of these parts.
    package init(subject: String, verdict: String, fact: String, reason: String? = nil) {
        (self.subject, self.verdict, self.fact, self.reason) = (subject, verdict, fact, reason)
    }
}

extension Finding {
    /// The finding without paths and names.
    package var checked: CheckedFact {
        let (word, reason) = fact.checked
        return CheckedFact(subject: subject.rawValue, verdict: verdict.rawValue, fact: word, reason: reason)
    }
}

extension Finding.Fact {
    fileprivate var checked: (word: String, reason: String?) {
        switch self {
        case .busAnswers: ("answers", nil)
        case .noBus(let reason): ("none", reason)
        case .busUnusable(let reason): ("unusable", reason)
        case .serviceRuns(let version): ("runs, interface version \(version)", nil)
        case .otherVersion(let version, let expected):
            ("interface version \(version.map { "\($0)" } ?? "unknown"), expected \(expected)", nil)
        case .serviceSilent(let reason): ("does not answer", reason)
        case .serviceNotActivatable, .workerNotActivatable: ("cannot be started by the bus", nil)
        case .service(let report): (report.problem == nil ? "set up" : "not set up", report.problem?.reason)
        case .workerRuns: ("runs and is told of changes", nil)
        case .workerUnwatched: ("is not told of changes", nil)
        case .workerSilent(let reason): ("does not answer", reason)
        case .workerNotStarted(let reason): ("could not be started", reason)
        case .workerKept(let obstacle): obstacle.checked
        case .providerStopped(_, let reason): ("a provider that is on does not run", reason)
        case .noManifest: ("the bundled provider has no manifest", nil)
        case .bundledOff: ("the bundled provider is off", nil)
        case .noWatchLimit: ("limit unknown", nil)
        case .watches(let used, let limit), .fewWatches(let used, let limit):
            ("\(used.map { "\($0)" } ?? "unknown") of \(limit)", nil)
        case .watchesExhausted(let used, let limit): ("exhausted, \(used) of \(limit)", nil)
        case .unwatchable: ("a folder cannot be watched", nil)
        case .noFolder: ("none", nil)
        case .folderNeeds(let folder):
            ("a folder needs \(folder.needs?.known?.rawValue ?? "something")", folder.message)
        case .folderMissing: ("a folder is missing", nil)
        case .folderFailed(let folder): ("items failed", folder.message)
        case .folderGood: ("a folder is there", nil)
        case .onDemand(.complete): ("possible", nil)
        case .onDemand(.noProgram): ("fusermount3 is missing", nil)
        case .onDemand(.noDevice): ("/dev/fuse cannot be used", nil)
        case .noFileManager: ("no supported file manager", nil)
        case .standing(let standing, let manager): ("\(manager.program) \(standing.word)", nil)
        case .plugin(let report): ("\(report.manager.program) set up", nil)
        case .emblems(let report):
            (
                report.isRunning ? "emblems on" : report.isInstalled ? "emblems off" : "no helper for emblems",
                report.problem?.reason
            )
        case .needsAdministrator: ("needs an administrator", nil)
        case .emblemsFound: ("found", nil)
        case .noEmblems: ("not found", nil)
        case .tray(let isThere), .notifications(let isThere), .sidebar(let isThere):
            (isThere ? "there" : "missing", nil)
        }
    }
}

extension WorkerObstacle {
    fileprivate var checked: (word: String, reason: String?) {
        switch self {
        case .said(let text): ("does not start", text)
        case .programMissing: ("its program is missing", nil)
        case .masked: ("masked", nil)
        case .failed(let status): ("failed, status \(status.map { "\($0)" } ?? "unknown")", nil)
        case .keepsFailing: ("keeps failing", nil)
        }
    }
}

extension ServiceProblem {
    fileprivate var reason: String? {
        switch self {
        case .noBus: "no session bus"
        case .refused(let error): error.message
        case .failed(let failure): "\(failure)"
        case .other(let text): text
        }
    }
}

extension InstalledFileManager.Standing {
    fileprivate var word: String {
        switch self {
        case .inPlace: "plugin in place"
        case .named: "plugin named by a variable"
        case .missing: "plugin missing"
        case .outdated: "plugin outdated"
        case .notBuilt: "plugin not built"
        case .placeUnknown: "place of plugins unknown"
        }
    }
}
