internal import CLinux
package import DBus
internal import Glibc
internal import Support

/// Detects callers that are programs in a sandbox. They may only act as hosts, and as providers once the user has said yes
/// to their app: providers speak for the user's folders, and programs that manage providers or folders decide for the user.
///
/// A caller is checked once for each call that needs it. Its further calls wait meanwhile, so that they keep their
/// order.
package final class SandboxGate {
    private enum Step {
        /// To run when its turn comes.
        case run(() -> Void)
        /// To call with the result: nil, or the reason why the caller may not.
        case check((RoundelError?) -> Void)
        /// To call with who the caller is.
        case identify((Caller) -> Void)
        /// To call with the first of these folders that the caller's sandbox does not see.
        case look([ItemURI], (ItemURI?) -> Void)
    }

    /// Who a caller is.
    package enum Caller {
        /// A program outside of sandboxes.
        case outside
        /// A program of an app that runs in a sandbox.
        case program(SandboxedProgram)
        /// A program in a sandbox, or one that cannot be examined: of which app it is, nobody says.
        case unknown(RoundelError)
    }

    /// Nil while the connection ends: the questions that it has not answered are answered with an error then.
    private weak var bus: Connection?
    /// The waiting steps by caller; the first one of each is running.
    private var waiting: [String: [Step]] = [:]
    /// The callers that are programs of apps.
    private var programs: Set<String> = []
    private let sandbox: SandboxLook

    /// - Parameters:
    ///   - bus: The connection on which the calls arrive.
    ///   - describe: What people know an app by; called on other threads, and may block.
    package init(
        bus: Connection,
        describe: @escaping @Sendable (SandboxedApp) -> SandboxedProgram = { SandboxedProgram(app: $0) }
    ) {
        self.bus = bus
        sandbox = SandboxLook(loop: bus.loop, describe: describe)
    }

    /// Calls `body` with nil if the caller may do more than hosts do, otherwise with the reason.
    package func check(_ caller: String, _ body: @escaping (RoundelError?) -> Void) {
        guard waiting[caller]?.count ?? 0 < Limits.waitingCalls else {
            return body(.tooManyCalls(Limits.waitingCalls))
        }
        add(.check(body), caller)
    }

    /// Calls `body` with who the caller is.
    package func identify(_ caller: String, _ body: @escaping (Caller) -> Void) {
        guard waiting[caller]?.count ?? 0 < Limits.waitingCalls else {
            return body(.unknown(.tooManyCalls(Limits.waitingCalls)))
        }
        add(.identify(body), caller)
    }

    /// Calls `body`, after all earlier calls of the caller, with the first of these folders that its sandbox does not see;
    /// with nil if it sees all of them, or was not identified as a program of an app.
    package func look(for folders: [ItemURI], by caller: String, _ body: @escaping (ItemURI?) -> Void) {
        if waiting[caller] == nil, !programs.contains(caller) { body(nil) } else { add(.look(folders, body), caller) }
    }

    /// The caller has left the bus.
    package func forget(_ caller: String) { programs.remove(caller) }

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
                return examine(caller, on: bus) { gate, process, done in
                    body(Self.isOutside(process) ? nil : .sandboxed)
                    done()
                }
            case .identify(let body):
                return examine(caller, on: bus) { gate, process, done in
                    if Self.isOutside(process) {
                        body(.outside)
                        return done()
                    }
                    gate.identify(process, caller) {
                        body($0)
                        done()
                    }
                }
            case .look(let folders, let body):
                guard programs.contains(caller) else {
                    body(nil)
                    break
                }
                return examine(caller, on: bus) { gate, process, done in
                    guard let process else {
                        body(folders.first)
                        return done()
                    }
                    gate.sandbox.firstUnseen(of: folders.map(\.filePath), by: process) { index in
                        body(index.flatMap { folders.indices.contains($0) ? folders[$0] : nil })
                        done()
                    }
                }
            }
            finish(caller)
        }
    }

    private func finish(_ caller: String) {
        waiting[caller]?.removeFirst()
        if waiting[caller]?.isEmpty ?? false { waiting[caller] = nil }
    }

    /// Asks the bus which process the caller is, and goes on with the caller's next step when `body` says so.
    private func examine(
        _ caller: String, on bus: Connection,
        _ body: @escaping (SandboxGate, PeerCredentials?, _ done: @escaping () -> Void) -> Void
    ) {
        bus.getCredentials(of: caller) { [weak self] result in
            // At the connection's end nobody can be answered any more.
            guard let self, self.bus != nil else { return }
            body(self, try? result.get()) { [weak self] in
                self?.finish(caller)
                self?.goOn(caller)
            }
        }
    }

    private func identify(_ process: PeerCredentials?, _ caller: String, _ body: @escaping (Caller) -> Void) {
        guard let process else { return body(.unknown(.sandboxed)) }
        sandbox.program(of: process) { [weak self] program in
            guard let program else { return body(.unknown(.sandboxed)) }
            self?.programs.insert(caller)
            body(.program(program))
        }
    }

    private static func isOutside(_ credentials: PeerCredentials?) -> Bool {
        credentials.map { SandboxedProcess.isOutside($0) } ?? false
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
        return isAlive(credentials)
    }

    /// Whether the process still runs, as far as the bus lets one know.
    static func isAlive(_ credentials: PeerCredentials) -> Bool {
        credentials.process.map { isAlive($0.number) } ?? true
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
