internal import Support
internal import WebDAV

/// Listens to what a server tells of changes, for as long as this object lives: begins again when a connection ends, and
/// asks seldom where a server tells nothing. Looking now and then goes on beside it.
final class ServerChanges: Sendable {
    private let task: Task<Void, Never>

    /// How long a server that tells nothing, or takes no login there, is not asked again.
    private static let rest = Duration.seconds(3_600)

    /// - Parameters:
    ///   - server: It lives as long as this object.
    ///   - onChange: Called on any thread when something may have changed.
    init(of server: ServerConnection, onChange: @escaping @Sendable () -> Void) {
        task = Task {
            var backOff = BackOff()
            while !Task.isCancelled {
                backOff.started(at: .now)
                let isToRest = await Self.listen(to: server.client, onChange)
                let now = Instant.now
                let pause = isToRest ? Self.rest : now.duration(to: backOff.stopped(at: now))
                // Many clients lose a server that is started again at one moment.
                try? await Task.sleep(for: pause * Double.random(in: 1...1.5), clock: .continuous)
            }
        }
    }

    deinit { task.cancel() }

    /// Listens until the connection ends; true if the server is not to be asked again soon.
    private static func listen(to client: DAVClient, _ onChange: @escaping @Sendable () -> Void) async -> Bool {
        do throws(DAVFailure) {
            guard let channel = try await ChangeChannel.find(for: client) else { return true }
            // What changed before it opened was told to nobody.
            try await channel.listen(opened: onChange, changed: onChange)
            return false
        } catch {
            switch error.reason {
            case .unreachable, .silent, .cancelled, .throttled: return false
            case .notFound, .untrusted, .movedElsewhere, .loginNeeded, .loginUnreadable, .denied, .notAllowed,
                .conflict,
                .conditionFailed, .notEmpty, .locked, .noSpace, .malformed, .refused:
                return true
            }
        }
    }
}
