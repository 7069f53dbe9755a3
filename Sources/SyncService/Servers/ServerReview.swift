internal import Support
internal import WebDAV

/// Regularly checks whether a server is still the one that was probed, and probes it again if not: the server or this
/// program may have been upgraded.
final class ServerReview {
    private let server: ServerConnection
    private let blocking: BlockingWork
    private let onChange: (FoundServer) -> Void
    private var due = Instant(nanoseconds: 0)
    private var isUnderWay = false

    /// - Parameter onChange: Called with the new result if it differs.
    init(of server: ServerConnection, blocking: BlockingWork, onChange: @escaping (FoundServer) -> Void) {
        (self.server, self.blocking, self.onChange) = (server, blocking, onChange)
    }

    /// A run has ended, so the server is probably available.
    ///
    /// - Parameter known: The server's known identity; nil if none was stored.
    func runEnded(known: String?) {
        let now = Instant.now
        guard !isUnderWay, now >= due else { return }
        isUnderWay = blocking.ask { [server] () -> Result<FoundServer?, DAVFailure> in
            do throws(DAVFailure) {
                return .success(
                    try await FoundServer.ask(server.client, unless: known, in: InterruptedProbes.newName()))
            } catch {
                return .failure(error)
            }
        } answer: { [weak self] result in
            self?.answered(result)
        }
    }

    private func answered(_ result: Result<FoundServer?, DAVFailure>) {
        isUnderWay = false
        switch result {
        case .success(let found):
            due = .now + Patience.Server.review
            if let found { onChange(found) }
        case .failure: due = .now + Patience.Server.failedReview
        }
    }
}
