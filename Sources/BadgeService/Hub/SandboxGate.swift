internal import BadgeEngine
internal import CLinux
internal import DBus
internal import Glibc
internal import RoundelBus

/// Sees which callers are programs in a sandbox. They are hosts and nothing else: a provider speaks for a person's folders,
/// and whoever administers providers decides for the person.
///
/// A caller is looked at once for each call that needs it, and what the same caller calls meanwhile waits, so that its calls
/// keep their order.
final class SandboxGate {
    private enum Step {
        /// To be done when its turn has come.
        case run(() -> Void)
        /// To be done with what was found: nil, or why the caller may not.
        case check((RoundelError?) -> Void)
    }

    private unowned let hub: BadgeHub
    /// By caller; the first step of each is under way.
    private var waiting: [String: [Step]] = [:]

    init(hub: BadgeHub) {
        self.hub = hub
    }

    /// Calls `body` with nil if the caller may do more than hosts do, else with the reason why not.
    func check(_ caller: String, _ body: @escaping (RoundelError?) -> Void) {
        guard waiting[caller]?.count ?? 0 < Limits.waitingCalls else {
            return body(RoundelError(.limitExceeded, Texts.tooManyCalls(Limits.waitingCalls)))
        }
        add(.check(body), caller)
    }

    /// Calls `body` after everything that the caller called before: at once, unless something of it waits.
    func afterChecks(of caller: String, _ body: @escaping () -> Void) {
        if waiting[caller] == nil { body() } else { add(.run(body), caller) }
    }

    private func add(_ step: Step, _ caller: String) {
        waiting[caller, default: []].append(step)
        if waiting[caller]?.count == 1 { goOn(caller) }
    }

    private func goOn(_ caller: String) {
        while let step = waiting[caller]?.first {
            switch step {
            case .run(let body): body()
            case .check(let body):
                hub.bus.getCredentials(of: caller) { [unowned self] result in
                    body(Self.refusal(try? result.get()))
                    finish(caller)
                    goOn(caller)
                }
                return
            }
            finish(caller)
        }
    }

    private func finish(_ caller: String) {
        waiting[caller]?.removeFirst()
        if waiting[caller]?.isEmpty ?? false { waiting[caller] = nil }
    }

    private static func refusal(_ credentials: PeerCredentials?) -> RoundelError? {
        guard let credentials, SandboxedProcess.isOutside(credentials) else {
            return RoundelError(.accessDenied, Texts.sandboxed)
        }
        return nil
    }
}

/// What can be seen of another process' confinement.
enum SandboxedProcess {
    /// Whether the process is known to see the same file system as this one from its root on.
    ///
    /// Flatpak, snap and containers give their programs another root. Nothing of that root is asked more than which one it
    /// is: what a program mounts by itself, in a user namespace of its own, the kernel does not let others touch.
    static func isOutside(_ credentials: PeerCredentials) -> Bool {
        guard let number = credentials.processID else { return false }
        // Held open, the directory stays that of this process when its number goes to another.
        let directory = clinux_open_path(AT_FDCWD, "/proc/\(number)")
        guard directory >= 0 else { return false }
        defer { close(directory) }
        var own = stat()
        var other = stat()
        guard stat("/", &own) == 0, fstatat(directory, "root", &other, 0) == 0 else { return false }
        guard own.st_dev == other.st_dev, own.st_ino == other.st_ino else { return false }
        return credentials.process.map { isAlive($0.number) } ?? true
    }

    /// Whether the process of a descriptor has not ended: while it lives, its number is no other's.
    private static func isAlive(_ process: Int32) -> Bool {
        var state = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 0
    }
}
