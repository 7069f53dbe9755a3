internal import FoundationEssentials

/// The credentials that a server gave this computer after the user had logged in. Neither a description nor a
/// reflection reveals the password.
package struct GrantedLogin: Sendable, CustomStringConvertible, CustomReflectable {
    /// The name to log in with.
    package let user: String
    /// The password that the server created for this computer.
    package let password: String

    private struct Answer: Decodable {
        var loginName: String
        var appPassword: String
    }

    /// Parses the server's response; nil if it is invalid.
    init?(_ answer: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(answer)) else { return nil }
        (user, password) = (answer.loginName, answer.appPassword)
    }

    /// Reveals nothing.
    package var description: String { "login" }
    /// Reveals nothing.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<(label: String?, value: Any)>()) }
}
