internal import FoundationEssentials
internal import Remotes

/// The credentials that a server gave this computer after the user had logged in.
struct GrantedLogin: Decodable {
    private let loginName: String
    private let appPassword: String

    /// Parses the server's response; nil if it is invalid.
    static func read(_ answer: [UInt8]) -> RemoteLogin? {
        guard let granted = try? JSONDecoder().decode(GrantedLogin.self, from: Data(answer)) else { return nil }
        return RemoteLogin(user: granted.loginName, password: granted.appPassword)
    }
}
