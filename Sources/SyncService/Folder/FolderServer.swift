internal import Remotes
internal import Support

/// The server that one folder syncs with: listens to its reports of changes, and regularly checks whether it is still the
/// one that was tried out. If not, it is tried out again: the server or this program may have been upgraded.
final class FolderServer {
    let connection: any RemoteServer
    private let blocking: BlockingWork
    private let control: LoopControl
    private let onChange: () -> Void
    private let onFindings: (RemoteFindings) -> Void
    /// When the server is checked next, and whether it is being checked.
    private var review = (due: Instant(nanoseconds: 0), isUnderWay: false)
    /// Receives change notifications from the server, if it sends them.
    private var listener: ServerListener?

    /// - Parameters:
    ///   - onChange: Called when something changed on the server, which does not report what.
    ///   - onFindings: Called when the server became another one and was tried out again.
    init(
        _ connection: any RemoteServer, blocking: BlockingWork, control: LoopControl, onChange: @escaping () -> Void,
        onFindings: @escaping (RemoteFindings) -> Void
    ) {
        (self.connection, self.blocking, self.control, self.onChange) = (connection, blocking, control, onChange)
        self.onFindings = onFindings
    }

    /// Subscribes to change notifications of the server, if it may send them.
    func listen() {
        guard connection.mayReportChanges else { return listener = nil }
        guard listener == nil else { return }
        // It runs on the loop, where it was created.
        nonisolated(unsafe) let changed: () -> Void = { [weak self] in self?.onChange() }
        listener = ServerListener(of: connection) { [control] in control.post { changed() } }
    }

    func endListening() { listener = nil }

    /// From now on, the server can do what was found out.
    func adopt(_ found: RemoteFindings) {
        connection.adopt(found)
        listen()
    }

    /// A run has ended, so the server is probably available.
    ///
    /// - Parameter known: The server's known identity; nil if none was stored.
    func runEnded(known: String?) {
        guard !review.isUnderWay, .now >= review.due else { return }
        review.isUnderWay = blocking.ask { [connection] () -> Result<RemoteFindings?, RemoteRefusal> in
            do throws(RemoteRefusal) {
                return .success(try await connection.review(unless: known))
            } catch {
                return .failure(error)
            }
        } answer: { [weak self] result in
            self?.answered(result)
        }
    }

    private func answered(_ result: Result<RemoteFindings?, RemoteRefusal>) {
        review.isUnderWay = false
        switch result {
        case .success(let found):
            review.due = .now + Patience.Server.review
            if let found { onFindings(found) }
        case .failure: review.due = .now + Patience.Server.failedReview
        }
    }

    /// Has what the server refused before tried again; then calls `body`.
    func retry(then body: @escaping () -> Void) {
        let isBegun = blocking.ask { [connection] in
            await connection.retry()
        } answer: {
            body()
        }
        if !isBegun { body() }
    }
}
