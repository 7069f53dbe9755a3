internal import CLinux
internal import Glibc
internal import Support
internal import SystemPackage

/// A process and the program that it runs.
struct RunningProcess: Sendable, Equatable {
    let process: pid_t
    /// The path of the program, even if the file has been replaced since.
    let program: FilePath

    /// The processes of this user; for root, all processes.
    static func all() -> [RunningProcess] {
        let user = getuid()
        return ((try? ListedItem.list("/proc")) ?? []).compactMap { entry in
            guard let process = pid_t(String(decoding: entry.name, as: UTF8.self)) else { return nil }
            let folder = FilePath("/proc").appending("\(process)")
            guard let owner = FileSystemFacts.status(folder)?.st_uid, user == 0 || owner == user else { return nil }
            return program(of: process).map { RunningProcess(process: process, program: $0) }
        }
    }

    /// Whether the process has mapped a library with this file name.
    func hasLoaded(_ file: String) -> Bool {
        guard let maps = fopen("/proc/\(process)/maps", "re") else { return false }
        defer { fclose(maps) }
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(line) }
        while getline(&line, &size, maps) > 0 {
            guard let line else { return false }
            let text = String(cString: line).without("\n").without(RunningProcess.deleted)
            if text.hasSuffix("/\(file)") { return true }
        }
        return false
    }

    /// Ends the processes and waits for their end.
    /// - Returns: Those that still run when the time is over.
    static func end(_ programs: [RunningProcess], within patience: Duration) -> [RunningProcess] {
        // A process descriptor keeps referring to its process even if the number is reused.
        let followed = programs.map { ($0, descriptor: clinux_follow_process($0.process)) }
        defer { for process in followed where process.descriptor >= 0 { close(process.descriptor) } }
        for (running, _) in followed where running.isThere { kill(running.process, SIGTERM) }
        let deadline = ContinuousClock.now + patience
        for (running, descriptor) in followed where descriptor >= 0 && running.isThere {
            wait(for: descriptor, until: deadline)
        }
        return programs.filter(\.isThere)
    }

    /// Waits until the descriptor is readable, which means that the process has ended.
    private static func wait(for descriptor: Int32, until deadline: ContinuousClock.Instant) {
        var process = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while process.revents == 0 {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return }
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            guard poll(&process, 1, Int32(clamping: milliseconds + 1)) >= 0 || errno == EINTR else { return }
        }
    }

    /// Whether the process still runs this program: its number may have been reused.
    var isThere: Bool { RunningProcess.program(of: process) == program }

    /// The kernel appends this to the path of a file that has been replaced or removed.
    private static let deleted = " (deleted)"

    private static func program(of process: pid_t) -> FilePath? {
        FileSystemFacts.target(ofLink: FilePath("/proc/\(process)/exe")).map { path in
            FilePath(path.string.without(deleted))
        }
    }
}

extension String {
    /// The text without this suffix, if it has it.
    fileprivate func without(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
