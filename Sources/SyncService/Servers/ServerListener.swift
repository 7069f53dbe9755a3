internal import Support
internal import WebDAV

/// Listens to a server's reports of changes as long as this object lives: reconnects when a connection ends, and rarely
/// asks again if the server has no such channel. Regular scans continue in any case.
final class ServerListener: Sendable {
    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - server: The connection, kept alive by this object.
    ///   - onChange: Called on any thread when something may have changed.
    init(of server: ServerConnection, onChange: @escaping @Sendable () -> Void) {
        task = Task {
            var backOff = BackOff()
            while !Task.isCancelled {
                backOff.started(at: .now)
                let isToRest = await Self.listen(to: server.client, onChange)
                let now = Instant.now
                let pause = isToRest ? Patience.Server.noChannel : now.duration(to: backOff.stopped(at: now))
                // Many clients lose a restarted server at the same moment.
                try? await Task.sleep(for: pause * Double.random(in: 1...1.5), clock: .continuous)
            }
        }
    }

    deinit { task.cancel() }

    /// Listens until the connection ends; true if the server must not be asked again soon.
    private static func listen(to client: DAVClient, _ onChange: @escaping @Sendable () -> Void) async -> Bool {
        do throws(DAVFailure) {
            guard let channel = try await ChangeChannel.find(for: client) else { return true }
            // Changes before the channel opened were not reported.
            try await channel.listen(opened: onChange, changed: onChange)
            return false
        } catch {
            switch error.reason {
            case .unreachable, .silent, .cancelled, .throttled: return false
            case .notFound, .untrusted, .movedElsewhere, .loginNeeded, .loginRefused, .loginUnreadable, .denied,
                .notAllowed,
                .conflict,
                .conditionFailed, .notEmpty, .locked, .noSpace, .tooLarge, .malformed, .refused:
                return true
            }
        }
    }
}
