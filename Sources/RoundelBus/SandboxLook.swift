internal import CLinux
internal import DBus
internal import Glibc
internal import Support
internal import SystemPackage

/// Looks into the sandbox of a program. The file system of a sandbox may never answer, so that each look has a thread of
/// its own and a limited time, and only few go on at the same time.
final class SandboxLook {
    /// What was seen.
    private enum Sight: Sendable {
        case program(SandboxedProgram?)
        /// The index of the first path that the sandbox does not see as it is outside; nil if there is none.
        case unseen(Int?)
    }

    /// The most looks at the same time.
    private static let most = 8

    private let loop: EventLoop
    private let describe: @Sendable (SandboxedApp) -> SandboxedProgram
    private var work: BackgroundWork<(Int, Sight)>?
    private var waiting: [Int: (Sight?) -> Void] = [:]
    private var last = 0
    /// How many threads have not ended yet.
    private var running = 0

    /// - Parameter describe: What people know an app by; called on other threads.
    init(loop: EventLoop, describe: @escaping @Sendable (SandboxedApp) -> SandboxedProgram) {
        (self.loop, self.describe) = (loop, describe)
    }

    /// Calls `body` with what the program of a process is; nil if it is of no known app, or that cannot be said.
    func program(of process: PeerCredentials, _ body: @escaping (SandboxedProgram?) -> Void) {
        look { [describe] in
            .program(SandboxRoot(of: process)?.app().map(describe))
        } answer: { sight in
            if case .program(let program)? = sight { body(program) } else { body(nil) }
        }
    }

    /// Calls `body` with the index of the first of these paths that the process does not see as it is outside; nil if it
    /// sees all of them.
    func firstUnseen(of paths: [FilePath], by process: PeerCredentials, _ body: @escaping (Int?) -> Void) {
        look {
            guard let root = SandboxRoot(of: process) else { return .unseen(0) }
            return .unseen(paths.firstIndex { !root.sees($0) })
        } answer: { sight in
            if case .unseen(let index)? = sight { body(index) } else { body(0) }
        }
    }

    private func look(_ sight: @escaping @Sendable () -> Sight, answer: @escaping (Sight?) -> Void) {
        guard running < Self.most else { return answer(nil) }
        last += 1
        let number = last
        do {
            let work = try work ?? BackgroundWork(loop, name: "sandbox") { [weak self] in self?.ended($0, $1) }
            self.work = work
            try work.start { (number, sight()) }
        } catch {
            return answer(nil)
        }
        running += 1
        waiting[number] = answer
        loop.makeTimer { [weak self] in self?.waiting.removeValue(forKey: number)?(nil) }
            .set(after: Patience.Badges.sandbox)
    }

    private func ended(_ number: Int, _ sight: Sight) {
        running -= 1
        waiting.removeValue(forKey: number)?(sight)
    }
}

/// The root directory of a process. Its methods may block.
private struct SandboxRoot {
    private let process: OwnedFileDescriptor
    private let root: OwnedFileDescriptor

    /// Nil if the process has ended.
    init?(of credentials: PeerCredentials) {
        guard let number = credentials.processID else { return nil }
        // While it is open, the directory remains that of this process, even if the number is reused.
        let directory = clinux_open_path(AT_FDCWD, "/proc/\(number)")
        guard directory >= 0 else { return nil }
        process = OwnedFileDescriptor(owning: directory)
        let top = openat(directory, "root", CLINUX_O_PATH | O_DIRECTORY | O_CLOEXEC)
        guard top >= 0 else { return nil }
        root = OwnedFileDescriptor(owning: top)
        guard SandboxedProcess.isAlive(credentials) else { return nil }
    }

    /// The app of the process.
    func app() -> SandboxedApp? {
        if let info = text(root.number, ".flatpak-info") { return .flatpak(info: info) }
        // The kernel's word, and where it has none the service manager's.
        return text(process.number, "attr/current").flatMap { .snap(label: $0) }
            ?? text(process.number, "cgroup").flatMap { .snap(groups: $0) }
    }

    /// Whether a path leads to the same item there as outside, by whatever symbolic links.
    func sees(_ path: FilePath) -> Bool {
        let resolve = UInt64(RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS)
        let inside = path.withPlatformString {
            clinux_openat2(root.number, $0, CLINUX_O_PATH | O_CLOEXEC, 0, resolve)
        }
        guard inside >= 0 else { return false }
        defer { close(inside) }
        let outside = path.withPlatformString { open($0, CLINUX_O_PATH | O_CLOEXEC) }
        guard outside >= 0 else { return false }
        defer { close(outside) }
        var (first, second) = (stat(), stat())
        guard fstat(inside, &first) == 0, fstat(outside, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private static let longest = 1 << 16

    /// The text of a small file; nil if it is none.
    private func text(_ directory: Int32, _ name: String) -> String? {
        let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var kind = stat()
        guard fstat(file, &kind) == 0, kind.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < Self.longest {
            let count = read(file, &part, part.count)
            if count < 0 { return nil }
            if count == 0 { break }
            bytes += part[..<count]
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
