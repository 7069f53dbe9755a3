internal import CLinux
package import DBus
internal import Glibc
internal import Support

/// Detects callers that are programs in a sandbox. They may only act as hosts, because providers speak for the user's
/// folders, and programs that manage providers or folders decide for the user.
///
/// A caller is checked once for each call that needs it. Its further calls wait meanwhile, so that they keep their
/// order.
package final class SandboxGate {
    private enum Step {
        /// To run when its turn comes.
        case run(() -> Void)
        /// To call with the result: nil, or the reason why the caller may not.
        case check((RoundelError?) -> Void)
    }

    /// Nil while the connection ends: the questions that it has not answered are answered with an error then.
    private weak var bus: Connection?
    /// The waiting steps by caller; the first one of each is running.
    private var waiting: [String: [Step]] = [:]

    /// - Parameter bus: The connection on which the calls arrive.
    package init(bus: Connection) {
        self.bus = bus
    }

    /// Calls `body` with nil if the caller may do more than hosts do, otherwise with the reason.
    package func check(_ caller: String, _ body: @escaping (RoundelError?) -> Void) {
        guard waiting[caller]?.count ?? 0 < Limits.waitingCalls else {
            return body(.tooManyCalls(Limits.waitingCalls))
        }
        add(.check(body), caller)
    }

    /// Calls `body` after all earlier calls of the caller; immediately if none of them waits.
    package func afterChecks(of caller: String, _ body: @escaping () -> Void) {
        if waiting[caller] == nil { body() } else { add(.run(body), caller) }
    }

    private func add(_ step: Step, _ caller: String) {
        waiting[caller, default: []].append(step)
        if waiting[caller]?.count == 1 { goOn(caller) }
    }

    private func goOn(_ caller: String) {
        while let step = waiting[caller]?.first {
            guard let bus else { return waiting.removeAll() }
            switch step {
            case .run(let body): body()
            case .check(let body):
                bus.getCredentials(of: caller) { [weak self] result in
                    // At the connection's end nobody can be answered any more.
                    guard let self, self.bus != nil else { return }
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
            return .sandboxed
        }
        return nil
    }
}

extension Interface {
    /// The same interface, whose methods are refused to programs in a sandbox.
    ///
    /// - Parameter trusted: Whether a caller needs no check.
    package func closedToSandboxes(
        _ gate: SandboxGate, except trusted: @escaping (_ caller: String) -> Bool = { _ in false }
    ) -> Interface {
        admitting { call, proceed in
            let caller = call.sender
            if trusted(caller) { return proceed() }
            gate.check(caller) { refusal in
                if let refusal { call.fail(DBusError(refusal)) } else { proceed() }
            }
        }
    }
}

extension RoundelError {
    /// A caller in a sandbox, or one that cannot be examined.
    fileprivate static var sandboxed: RoundelError {
        RoundelError(
            .accessDenied,
            tr(
                """
                A program in a sandbox can show badges, but it cannot be a sync program, sync folders or change \
                settings.
                """
            ))
    }

    /// The refusal of a program that sends calls without waiting for replies.
    package static func tooManyCalls(_ limit: Int) -> RoundelError {
        RoundelError(
            .limitExceeded,
            tr(
                limit, one: "{1} call of this program has no answer yet; wait for it.",
                other: "{1} calls of this program have no answer yet; wait for some."))
    }
}

/// Determines whether another process is confined.
package enum SandboxedProcess {
    /// Whether the process certainly has the same root of the file system as this one.
    ///
    /// Flatpak, snap and containers give their programs another root. Only the identity of the root is checked: the
    /// kernel does not let other processes see what a program mounts in a user namespace of its own.
    package static func isOutside(_ credentials: PeerCredentials) -> Bool {
        guard let number = credentials.processID else { return false }
        // While it is open, the directory remains that of this process, even if the number is reused.
        let directory = clinux_open_path(AT_FDCWD, "/proc/\(number)")
        guard directory >= 0 else { return false }
        defer { close(directory) }
        guard let own = Identity(AT_FDCWD, "/"), let other = Identity(directory, "root") else { return false }
        guard own == other else { return false }
        return credentials.process.map { isAlive($0.number) } ?? true
    }

    /// Which directory is the root. The file system is not asked, because that of another process may never answer.
    private struct Identity: Equatable {
        private var device: UInt64 = 0
        private var inode: UInt64 = 0

        init?(_ directory: Int32, _ name: String) {
            guard clinux_known_identity(directory, name, &device, &inode) == 0 else { return nil }
        }
    }

    /// Whether the process of a descriptor still runs: until then, its number is not reused.
    private static func isAlive(_ process: Int32) -> Bool {
        var state = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 0
    }
}
