internal import FoundationEssentials

/// What a server gave this computer after the person had logged in. Neither a description nor a reflection shows the
/// password.
package struct GrantedLogin: Sendable, CustomStringConvertible, CustomReflectable {
    /// The name to log in with.
    package let user: String
    /// The password that the server made for this computer.
    package let password: String

    private struct Answer: Decodable {
        var loginName: String
        var appPassword: String
    }

    /// Reads the server's answer; nil if it is none.
    init?(_ answer: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(answer)) else { return nil }
        (user, password) = (answer.loginName, answer.appPassword)
    }

    /// Nothing of it.
    package var description: String { "login" }
    /// Nothing of it.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<(label: String?, value: Any)>()) }
}
