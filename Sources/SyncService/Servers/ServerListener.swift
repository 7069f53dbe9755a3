internal import Remotes
internal import Support

/// Listens to a server's reports of changes as long as this object lives: reconnects when a connection ends, and rarely
/// asks again if the server must not be asked soon. Regular scans continue in any case.
final class ServerListener: Sendable {
    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - server: The connection, kept alive by this object.
    ///   - onChange: Called on any thread when something may have changed.
    init(of server: any RemoteServer, onChange: @escaping @Sendable () -> Void) {
        task = Task {
            var backOff = BackOff()
            while !Task.isCancelled {
                backOff.started(at: .now)
                let isToRest = await server.listen(onChange)
                let now = Instant.now
                let pause = isToRest ? Patience.Server.noChannel : now.duration(to: backOff.stopped(at: now))
                // Many clients lose a restarted server at the same moment.
                try? await Task.sleep(for: pause * Double.random(in: 1...1.5), clock: .continuous)
            }
        }
    }

    deinit { task.cancel() }
}
