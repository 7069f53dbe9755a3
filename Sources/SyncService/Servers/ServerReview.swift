internal import Support
internal import WebDAV

/// Finds out now and then whether a server is still what it was when it was tried out, and tries it out again if it is not:
/// it may have been upgraded, or this program.
final class ServerReview {
    private let server: ServerConnection
    private let blocking: BlockingWork
    private let onChange: (FoundServer) -> Void
    private var due = Instant(nanoseconds: 0)
    private var isUnderWay = false

    /// How long an answer holds.
    private static let interval = Duration.seconds(86_400)
    /// How long the server is left alone where there was none.
    private static let patience = Duration.seconds(3_600)

    /// - Parameter onChange: gets what was found where something else was known.
    init(of server: ServerConnection, blocking: BlockingWork, onChange: @escaping (FoundServer) -> Void) {
        (self.server, self.blocking, self.onChange) = (server, blocking, onChange)
    }

    /// A run has ended: the server is there, most likely.
    ///
    /// - Parameter known: what the server was; nil where that was not noted.
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
            due = .now + Self.interval
            if let found { onChange(found) }
        case .failure: due = .now + Self.patience
        }
    }
}
