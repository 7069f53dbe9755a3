import Glibc
package import MountProtocol
import Support
import SyncCore
import Synchronization
package import SystemPackage

/// The worker's end of a mounted folder: who waits for contents there, and how they are brought and freed.
///
/// It connects when the local side is looked at, and again after the folder was mounted anew. Everything may be called
/// on any thread; what is not marked otherwise never blocks.
package final class MountedContents: Sendable {
    private struct State: Sendable {
        var connection: MountConnection?
        /// The inode of the mounted folder.
        var root: UInt64 = 0
        /// How often a connection was made: the numbers of fetches begin anew with each.
        var generation: UInt64 = 0
        var onReport: (@Sendable (ContentsReport) -> Void)?
    }

    private let socket: FilePath
    private let state = Mutex(State())
    /// Held by who connects.
    private let turn = Mutex(())

    /// The folder that reports at this socket, to which nothing is said yet.
    package init(socket: FilePath) { self.socket = socket }

    deinit { hangUp() }

    /// Has everything that the folder says from now on told. Called on a thread of its own, which must not be kept: no
    /// request is answered meanwhile.
    package func listen(_ onReport: @escaping @Sendable (ContentsReport) -> Void) {
        state.withLock { $0.onReport = onReport }
    }

    /// A fetch goes on. To be told every half minute: a program that hears nothing for a minute gets an error.
    package func goOn(_ fetch: FetchNumber) {
        guard let (connection, fetch) = current(fetch) else { return }
        connection.send(.progress(fetch))
    }

    /// A fetch has failed: the programs that wait get this error, which must not be EINTR.
    package func fail(_ fetch: FetchNumber, _ error: Errno) {
        guard let (connection, fetch) = current(fetch) else { return }
        connection.tell { .fail(request: $0, fetch, error) }
    }

    /// Ends the connection, before the computer sleeps or the worker ends: who waits for contents gets an error.
    package func hangUp() {
        state.withLock { $0.connection }?.end()
    }

    // MARK: Connecting

    /// Whether the folder answers now.
    package var isConnected: Bool { state.withLock { $0.connection?.isOpen == true } }

    /// The inode of the mounted folder that answers; nil if none does.
    var root: UInt64? { state.withLock { $0.connection?.isOpen == true ? $0.root : nil } }

    /// Connects if there is no connection; blocks until the folder has answered.
    ///
    /// - Returns: How often a connection was made.
    /// - Throws: The error of the system if nobody answers.
    func connect() throws(Errno) -> UInt64 {
        try turn.withLock { _ throws(Errno) in
            if root != nil { return state.withLock { $0.generation } }
            let connection = try MountConnection(to: socket)
            let generation = state.withLock { state in
                state.generation += 1
                return state.generation
            }
            _ = try connection.start(limit: Patience.Mount.greeting) { [weak self, weak connection] report in
                guard let self, let connection else { return }
                self.take(report, connection, generation)
            }
            return generation
        }
    }

    private func take(_ report: MountReport?, _ connection: MountConnection, _ generation: UInt64) {
        let (told, onReport) = state.withLock { state in
            (Self.told(report, connection, generation, &state), state.onReport)
        }
        if let told { onReport?(told) }
    }

    private static func told(
        _ report: MountReport?, _ connection: MountConnection, _ generation: UInt64, _ state: inout State
    ) -> ContentsReport? {
        switch report {
        case .hello(_, let root):
            (state.connection, state.root) = (connection, root)
            return .connected
        case .fetch(let fetch, let item, _, let reason):
            let reader = ContentsReader(
                program: String(decoding: reason.executable, as: UTF8.self), process: reason.process)
            return path(item.path).map { .wanted(number(fetch, generation), $0, by: reader) }
        case .cancel(let fetch): return .withdrawn(number(fetch, generation))
        case .emptied(let item): return path(item.path).map { .emptied($0) }
        case .done, .made, .located: return nil
        case nil:
            guard state.connection === connection else { return nil }
            state.connection = nil
            return .disconnected
        }
    }

    private static func path(_ path: NodePath) -> RelativePath? { RelativePath(bytes: path.bytes) }

    // MARK: Numbers of fetches

    /// A number that no other connection gives.
    private static func number(_ fetch: FetchNumber, _ generation: UInt64) -> FetchNumber {
        FetchNumber(rawValue: generation << generationShift | fetch.rawValue & (1 << generationShift - 1))
    }

    private static let generationShift: UInt64 = 40

    /// The connection of a fetch and its number there; nil if that has ended.
    private func current(_ fetch: FetchNumber) -> (MountConnection, FetchNumber)? {
        state.withLock { state in
            guard let connection = state.connection, fetch.rawValue >> Self.generationShift == state.generation else {
                return nil
            }
            return (connection, FetchNumber(rawValue: fetch.rawValue & (1 << Self.generationShift - 1)))
        }
    }

    // MARK: Asking

    /// Asks something and waits for the answer.
    func ask(limit: Duration, _ request: (UInt32) -> WorkerRequest) throws(Errno) -> MountReport {
        guard let connection = state.withLock({ $0.connection }) else { throw .socketNotConnected }
        return try connection.ask(limit: limit, request)
    }

    /// Has something done and waits for its end.
    func perform(limit: Duration, _ request: (UInt32) -> WorkerRequest) throws(Errno) {
        guard case .done(_, let error) = try ask(limit: limit, request) else { throw .protocolError }
        if let error { throw error }
    }
}
