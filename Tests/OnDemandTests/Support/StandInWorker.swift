import CFuse
import CLinux
import Dispatch
import Glibc
import MountProtocol
import MountSupport
import OnDemand
import Support
import Synchronization
import SystemPackage
import TestSupport

/// What the worker is to a mounted folder, over the real socket. Contents are what ``Pattern`` makes of their version.
final class StandInWorker: Sendable {
    /// What it does when it is asked for contents.
    enum Manner: Sendable {
        case fill
        case fail(Errno)
        /// Nothing, until the test says so.
        case keep
    }

    struct Wanted: Sendable {
        let fetch: FetchNumber
        let item: ItemReference
        let contents: Placeholder
        let reason: MountReport.FetchReason
    }

    private struct State: Sendable {
        var manner: Manner
        var wanted: [Wanted] = []
        var canceled: [FetchNumber] = []
        var emptied: [ItemReference] = []
        var answers: [UInt32: MountReport] = [:]
        var lastRequest: UInt32 = 0
        var lastStage = 0
        var isGreeted = false
        var hasEnded = false
    }

    static let area = ".roundel"

    private let socket: Int32
    private let folder: String
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isThisProcess: Whether this process is the worker: then whatever the test opens is opened by the worker.
    ///     Otherwise the worker's process has ended, and the test is a program like any other.
    ///   - user: As whom it reports; nil for that of the tests.
    init(_ folder: MountedFolder, _ manner: Manner = .fill, isThisProcess: Bool = false, user: UInt32? = nil) throws {
        self.folder = folder.path
        state = Mutex(State(manner: manner))
        if isThisProcess {
            socket = cfuse_connect(folder.socket)
        } else {
            socket = Glibc.socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
            let script = "import socket, sys; socket.socket(fileno=int(sys.argv[1])).connect(sys.argv[2])"
            let person = user.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
            let child = try RunningProgram(
                person + ["/usr/bin/python3", "-c", script, "\(socket)", folder.socket],
                environment: RunningProgram.inheritedEnvironment)
            let outcome = try child.finish()
            guard outcome.status == 0 else { throw Failure("no connection: \(outcome.errors)") }
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        }
        guard socket >= 0 else { throw Failure("connect: \(errno)") }
        try DetachedThread.start("stand-in") { self.listen() }
        send(.hello(version: WorkerRequest.version))
        // Or it is turned away.
        try wait("greeting") { $0.state.withLock { $0.isGreeted || $0.hasEnded } }
        if user == nil { mkdir("\(folder.path)/\(Self.area)", 0o700) }
    }

    /// The connection ends as when the worker's process does.
    func close() { shutdown(socket, Int32(SHUT_RDWR)) }

    deinit { Glibc.close(socket) }

    // MARK: What the folder says

    var wanted: [Wanted] { state.withLock { $0.wanted } }
    var canceled: [FetchNumber] { state.withLock { $0.canceled } }
    var emptied: [ItemReference] { state.withLock { $0.emptied } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func set(_ manner: Manner) { state.withLock { $0.manner = manner } }

    /// Waits for a condition, four minutes at most.
    func wait(_ what: String, _ condition: (StandInWorker) throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(240)
        while try !condition(self) {
            guard ContinuousClock.now < end else { throw Failure("waited in vain: \(what)") }
            usleep(1_000)
        }
    }

    private func listen() {
        var buffer = [UInt8](repeating: 0, count: MountReport.limit)
        while true {
            let count = cfuse_receive(socket, &buffer, buffer.count)
            guard count > 0 else { break }
            guard let report = try? MountReport(packet: buffer[..<count]) else { break }
            take(report)
        }
        state.withLock { $0.hasEnded = true }
    }

    private func take(_ report: MountReport) {
        switch report {
        case .hello: state.withLock { $0.isGreeted = true }
        case .fetch(let fetch, let item, let contents, let reason):
            let wanted = Wanted(fetch: fetch, item: item, contents: contents, reason: reason)
            let manner = state.withLock { state in
                state.wanted.append(wanted)
                return state.manner
            }
            switch manner {
            case .fill: _ = try? beginFill(wanted)
            case .fail(let error): send(.fail(request: number(), fetch, error))
            case .keep: break
            }
        case .cancel(let fetch): state.withLock { $0.canceled.append(fetch) }
        case .emptied(let item): state.withLock { $0.emptied.append(item) }
        case .done(let request, _), .made(let request, _), .located(let request, _):
            state.withLock { $0.answers[request] = report }
        }
    }

    // MARK: What it says

    func send(_ request: WorkerRequest) { send(request.packet) }

    func send(_ packet: [UInt8]) { _ = Glibc.send(socket, packet, packet.count, Int32(MSG_NOSIGNAL)) }

    private func number() -> UInt32 {
        state.withLock { state in
            state.lastRequest += 1
            return state.lastRequest
        }
    }

    /// Says something and waits for the answer.
    func ask(_ make: (UInt32) -> WorkerRequest) throws -> MountReport {
        let request = number()
        send(make(request))
        return try answer(to: request)
    }

    private func answer(to request: UInt32) throws -> MountReport {
        try wait("answer to \(request)") { worker in
            if worker.hasEnded { throw Failure("the folder hung up") }
            return worker.state.withLock { $0.answers[request] != nil }
        }
        guard let report = state.withLock({ $0.answers.removeValue(forKey: request) }) else {
            throw Failure("no answer to \(request)")
        }
        return report
    }

    /// The error of an answer, nil for success.
    private func outcome(_ make: (UInt32) -> WorkerRequest) throws -> Errno? {
        let report = try ask(make)
        guard case .done(_, let error) = report else { throw Failure("\(report)") }
        return error
    }

    func sync() throws -> Errno? { try outcome { .sync(request: $0) } }
    func fail(_ fetch: FetchNumber, _ error: Errno) throws -> Errno? {
        try outcome { .fail(request: $0, fetch, error) }
    }

    /// Makes placeholders, each with its version and size.
    @discardableResult
    func make(_ items: [(name: String, version: UInt64, size: Int)], mode: UInt32 = 0o644) throws -> [MountReport.Made]
    {
        let wanted = items.compactMap { item in
            Placeholder(size: UInt64(item.size), version: Pattern.version(item.version)).flatMap { contents in
                NodePath(item.name.utf8).map {
                    NewPlaceholder(path: $0, mode: mode, modified: 1_500_000_000_123_456_789, contents: contents)
                }
            }
        }
        let report = try ask { .make(request: $0, wanted) }
        guard case .made(_, let made) = report else { throw Failure("\(report)") }
        return made
    }

    /// Frees an item as it is now.
    func free(_ name: String, version: UInt64) throws -> Errno? {
        let status = try fileStatus(of: "\(folder)/\(name)")
        return try free(name, status, version: version)
    }

    /// The same when nobody uses it any more: the kernel tells some time after a file was closed.
    func freeWhenIdle(_ name: String, version: UInt64) throws -> Errno? {
        var error: Errno?
        try wait("end of use") { worker in
            error = try worker.free(name, version: version)
            return error != .resourceBusy
        }
        return error
    }

    func free(_ name: String, _ status: clinux_status, version: UInt64) throws -> Errno? {
        guard let path = NodePath(name.utf8) else { throw Failure("no path: \(name)") }
        let free = FreedFile(
            size: status.size, modified: status.modified, changed: status.changed, version: Pattern.version(version))
        return try outcome { .free(request: $0, ItemReference(path: path, inode: status.inode), free) }
    }

    /// Has a placeholder stand for another version.
    func describe(_ name: String, version: UInt64, size: Int) throws -> Errno? {
        let status = try fileStatus(of: "\(folder)/\(name)")
        return try describe(name, status, version: version, size: size)
    }

    func describe(_ name: String, _ status: clinux_status, version: UInt64, size: Int) throws -> Errno? {
        guard let path = NodePath(name.utf8),
            let contents = Placeholder(size: UInt64(size), version: Pattern.version(version))
        else { throw Failure("no path: \(name)") }
        let file = DescribedFile(
            size: status.size, modified: status.modified, changed: status.changed, contents: contents,
            date: Self.date(ofVersion: version))
        return try outcome { .describe(request: $0, ItemReference(path: path, inode: status.inode), file) }
    }

    /// The date of what was described, in nanoseconds since 1970: whole seconds, because small inodes keep no others.
    static func date(ofVersion version: UInt64) -> Int64 { (1_600_000_000 + Int64(version)) * 1_000_000_000 }

    // MARK: Contents

    /// Writes what a version holds into the folder; gives the name.
    func stage(version: UInt64, size: Int) throws -> String {
        let number = state.withLock { state in
            state.lastStage += 1
            return state.lastStage
        }
        let name = "\(Self.area)/stage-\(number)"
        // A worker before this one may have left a file of this name, of which some was put in already.
        unlink("\(folder)/\(name)")
        try write(Pattern.bytes(version: version, size: size), to: "\(folder)/\(name)")
        return name
    }

    /// Brings contents that were asked for; gives the number of the request.
    @discardableResult
    func beginFill(_ wanted: Wanted) throws -> UInt32 {
        let staged = try stage(version: Pattern.number(wanted.contents.version), size: Int(wanted.contents.size))
        return beginFill(.fetch(wanted.fetch), staged: staged, version: wanted.contents.version)
    }

    func beginFill(_ target: WorkerRequest.Target, staged: String, version: [UInt8]) -> UInt32 {
        let request = number()
        guard let path = NodePath(staged.utf8) else { return request }
        send(.fill(request: request, target, staged: path, version: version))
        return request
    }

    /// Brings contents and waits until they are there.
    func fill(_ wanted: Wanted) throws -> Errno? { try end(of: try beginFill(wanted)) }

    /// Brings contents that nobody has asked for.
    func fill(_ name: String, version: UInt64) throws -> Errno? {
        let status = try fileStatus(of: "\(folder)/\(name)")
        guard let path = NodePath(name.utf8) else { throw Failure("no path: \(name)") }
        let staged = try stage(version: version, size: Int(status.size))
        let target = WorkerRequest.Target.item(ItemReference(path: path, inode: status.inode))
        return try end(of: beginFill(target, staged: staged, version: Pattern.version(version)))
    }

    func end(of request: UInt32) throws -> Errno? {
        let report = try answer(to: request)
        guard case .done(_, let error) = report else { throw Failure("\(report)") }
        return error
    }

    /// The next fetch after so many.
    func fetch(after count: Int = 0) throws -> Wanted {
        try wait("fetch \(count + 1)") { $0.wanted.count > count }
        return wanted[count]
    }
}
