import Synchronization

/// The form in which a server understands the destination of a move.
final class DestinationForm: Sendable {
    private let isPath = Mutex(false)

    /// Whether it is sent as a path, not as a whole address.
    var arePaths: Bool { isPath.withLock { $0 } }

    /// From now on, destinations are sent as paths.
    func usePaths() { isPath.withLock { $0 = true } }
}
