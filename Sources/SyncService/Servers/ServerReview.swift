internal import Remotes
internal import Support

/// Regularly checks whether a server is still the one that was tried out, and tries it out again if not: the server or
/// this program may have been upgraded.
final class ServerReview {
    private let server: any RemoteServer
    private let blocking: BlockingWork
    private let onChange: (RemoteFindings) -> Void
    private var due = Instant(nanoseconds: 0)
    private var isUnderWay = false

    /// - Parameter onChange: Called with the new result if it differs.
    init(of server: any RemoteServer, blocking: BlockingWork, onChange: @escaping (RemoteFindings) -> Void) {
        (self.server, self.blocking, self.onChange) = (server, blocking, onChange)
    }

    /// A run has ended, so the server is probably available.
    ///
    /// - Parameter known: The server's known identity; nil if none was stored.
    func runEnded(known: String?) {
        let now = Instant.now
        guard !isUnderWay, now >= due else { return }
        isUnderWay = blocking.ask { [server] () -> Result<RemoteFindings?, RemoteRefusal> in
            do throws(RemoteRefusal) {
                return .success(try await server.review(unless: known))
            } catch {
                return .failure(error)
            }
        } answer: { [weak self] result in
            self?.answered(result)
        }
    }

    private func answered(_ result: Result<RemoteFindings?, RemoteRefusal>) {
        isUnderWay = false
        switch result {
        case .success(let found):
            due = .now + Patience.Server.review
            if let found { onChange(found) }
        case .failure: due = .now + Patience.Server.failedReview
        }
    }
}
