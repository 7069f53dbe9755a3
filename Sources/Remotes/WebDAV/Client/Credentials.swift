internal import AsyncHTTPClient

/// A name and a password, or an app password. They are sent only in a header of requests to their server, or as the
/// first messages on a channel to it; they never appear in a description, a log or an address.
package struct Credentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    private let user: String
    private let password: String

    /// Credentials from the user or a secret service.
    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// Reveals nothing.
    package var description: String { "credentials" }
    /// Reveals nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The messages for a channel that has no headers, in this order.
    var texts: [String] { [user, password] }

    func sign(_ request: inout HTTPClientRequest) {
        request.setBasicAuth(username: user, password: password)
    }
}
