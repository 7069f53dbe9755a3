internal import AsyncHTTPClient

/// A name and a password, or an app password. They go into one header of requests to the server that they are for, or the
/// first words on a channel to it, and nowhere else: not into a text, a log or an address.
package struct Credentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    private let user: String
    private let password: String

    /// Credentials as a person gave them, or a secret service.
    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// Nothing of them.
    package var description: String { "credentials" }
    /// Nothing of them.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// What a channel that takes no header is told, in this order.
    var texts: [String] { [user, password] }

    func sign(_ request: inout HTTPClientRequest) {
        request.setBasicAuth(username: user, password: password)
    }
}
