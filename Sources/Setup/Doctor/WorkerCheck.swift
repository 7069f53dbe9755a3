package import DBus
internal import RoundelBus
package import SystemPackage

/// What keeps the sync worker from starting.
package enum WorkerObstacle: Sendable, Equatable {
    /// The worker itself says so, in this sentence.
    case said(String)
    /// Its program is not in the directory where it belongs.
    case programMissing(FilePath)
    /// The user masked its unit.
    case masked
    /// Its unit failed: it ended with this status, if it ended by itself.
    case failed(status: Int32?)
    /// It ended several times in a row, so that the user manager starts it no more.
    case keepsFailing
}

/// Finds out why the sync worker does not start. The bus only tells that it does not.
package enum WorkerCheck {
    /// What keeps the worker from starting, if this error says that it could not be started and that can be found out.
    package static func obstacle(behind error: DBusError) -> WorkerObstacle? {
        guard error.message.contains(Names.worker) || error.name.hasPrefix(systemdErrors), isFailedStart(error),
            let folder = FileSystemFacts.resolved("/proc/self/exe")?.removingLastComponent()
        else { return nil }
        let program = folder.appending("roundel-worker")
        guard FileSystemFacts.isProgram(program) else { return .programMissing(folder) }
        // A worker that the bus does not know how to start may be able to.
        if error.standard != .serviceUnknown,
            let outcome = ChildProgram.output([program.string, "--check"]), outcome.status != 0,
            let sentence = outcome.text.split(separator: "\n").first
        {
            return .said(String(sentence))
        }
        return UnitState.ofWorker()?.obstacle
    }

    private static let systemdErrors = "org.freedesktop.systemd1."

    /// Whether an error says that a service could not be started.
    static func isFailedStart(_ error: DBusError) -> Bool {
        switch error.standard {
        case .timedOut, .spawnChildExited, .spawnExecFailed, .spawnFailed, .spawnServiceNotFound, .serviceUnknown: true
        case _:
            error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") || error.name.hasPrefix(systemdErrors)
        }
    }
}
