/// Provides a client's credentials. It is asked before each request, so that nothing is read before a server is
/// contacted, and changes by the user take effect at once.
package protocol CredentialSource: Sendable {
    /// The credentials for the next request; nil for a request without any.
    /// - Throws: ``DAVFailure`` if no request may be made now.
    func credentials() async throws(DAVFailure) -> Credentials?
    /// The server rejected them (401); returns the failure of the request.
    func refused(_ credentials: Credentials?) async -> DAVFailure
    /// Returns when the user logs out, or the task is cancelled: connections that stay open after a request end then.
    func ends() async
}

/// Credentials that never change.
struct FixedCredentials: CredentialSource {
    private let fixed: Credentials?

    init(_ fixed: Credentials?) { self.fixed = fixed }

    func credentials() -> Credentials? { fixed }

    func refused(_ credentials: Credentials?) -> DAVFailure { DAVFailure(.loginNeeded, status: 401) }

    func ends() async {
        let (never, source) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        source.finish()
    }
}
