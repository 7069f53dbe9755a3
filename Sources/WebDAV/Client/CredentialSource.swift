/// Where a client has its credentials from. It asks before each request, so that nothing is read before a server is spoken
/// to, and what a person changes counts at once.
package protocol CredentialSource: Sendable {
    /// What the next request is to be signed with; nil for one without credentials.
    /// - Throws: ``DAVFailure`` if no request is to be made now.
    func credentials() async throws(DAVFailure) -> Credentials?
    /// The server did not take them (401); says why the request failed.
    func refused(_ credentials: Credentials?) async -> DAVFailure
}

/// Credentials that never change.
struct FixedCredentials: CredentialSource {
    private let fixed: Credentials?

    init(_ fixed: Credentials?) { self.fixed = fixed }

    func credentials() -> Credentials? { fixed }

    func refused(_ credentials: Credentials?) -> DAVFailure { DAVFailure(.loginNeeded, status: 401) }
}
