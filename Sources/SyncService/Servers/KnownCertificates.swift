internal import Remotes
internal import Synchronization

/// The certificates that a person gave for servers, for whoever connects to one, on any thread.
final class KnownCertificates: Sendable {
    private let all = Mutex<[String: ServerCertificates]>([:])

    /// Those of a server, by its origin; nil for none.
    subscript(server: String) -> ServerCertificates? { all.withLock { $0[server] } }

    func replace(with certificates: [String: ServerCertificates]) { all.withLock { $0 = certificates } }
}
