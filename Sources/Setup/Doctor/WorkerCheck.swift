package import DBus
internal import RoundelBus
internal import SystemPackage

/// Finds out why the sync worker does not start. The bus only tells that it does not.
package enum WorkerCheck {
    /// The worker's own sentence, if this error says that it could not be started and it knows why.
    package static func explanation(of error: DBusError) -> String? {
        guard error.message.contains(Names.worker) || error.name.hasPrefix(systemdErrors), isFailedStart(error),
            let program = sibling(), let outcome = ChildProgram.output([program, "--check"]), outcome.status != 0
        else { return nil }
        let sentence = outcome.text.split(separator: "\n").first.map(String.init) ?? ""
        return sentence.isEmpty ? nil : sentence
    }

    private static let systemdErrors = "org.freedesktop.systemd1."

    private static func isFailedStart(_ error: DBusError) -> Bool {
        error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") || error.name.hasPrefix(systemdErrors)
    }

    /// The worker beside this program.
    private static func sibling() -> String? {
        let folder = FileSystemFacts.resolved("/proc/self/exe")?.removingLastComponent()
        return folder.map { $0.appending("roundel-worker") }.flatMap { FileSystemFacts.isProgram($0) ? $0.string : nil }
    }
}
