package import Remotes
internal import Support

/// What is said about a remote that rclone reaches. The arguments are in brackets; the path of an item is relative to
/// the folder.
package enum RcloneCode: String, RemoteCode {
    // MARK: The remote

    /// It cannot be reached, or rclone does not respond. [address]
    case unreachable = "server-unreachable"
    /// The service requires a login, or rejects the one that rclone has. [address]
    case login = "server-login"
    /// The certificate of the service is not trusted. [address]
    case untrusted = "server-untrusted"
    /// There is no directory at the address. [address]
    case missing = "collection-missing"
    /// rclone is not installed. [address]
    case noProgram = "no-program"
    /// rclone does not start. [address]
    case notStarted = "not-started"
    /// No remote has the name. [address]
    case notConfigured = "not-configured"

    // MARK: An item

    /// The answer is not valid. [path, status of the answer or 0]
    case trouble = "server-trouble"

    // MARK: A place that was tried out

    /// Nothing may be written. [address]
    case readOnly = "read-only"
    /// It keeps files in buckets, and the address names none. [address]
    case noBucket = "no-bucket"
    /// It cannot be used, nobody knows why. [address]
    case unclear
    /// These remotes are configured. [their names…]
    case remotes
    /// No remote is configured.
    case noRemotes = "no-remotes"

    // MARK: An address

    /// It names no remote.
    case noName = "no-name"
    /// Its path leads up.
    case badPath = "bad-path"
    /// No remote leads to the computer. [the computer]
    case noHost = "no-host"

    package static var domain: String { "rclone" }

    package static func former(_ name: String, _ arguments: [String]) -> RcloneCode? {
        guard let address = arguments.first, address.hasPrefix("rclone:"), let code = RcloneCode(rawValue: name) else {
            return nil
        }
        // What was missing stood beside the address.
        return switch (code, arguments.dropFirst().first) {
        case (.missing, "rclone"?): .noProgram
        case (.missing, "start"?): .notStarted
        case (.missing, "name"?): .notConfigured
        case (_, _): code
        }
    }

    package var absence: RemoteAbsence? {
        switch self {
        case .unreachable: .passing
        case .login: .login
        case .untrusted, .missing, .noProgram, .notStarted, .notConfigured: .server
        case .trouble: .trouble
        case .readOnly, .noBucket, .unclear, .remotes, .noRemotes, .noName, .badPath, .noHost: nil
        }
    }

    package func sentence(_ arguments: [String]) -> String {
        switch self {
        case .unreachable:
            return tr("The remote {1} cannot be reached. Syncing goes on by itself when it can.", arguments: arguments)
        case .login:
            return tr(
                "The remote {1} wants you to log in again. rclone keeps its login: renew it there.",
                arguments: arguments)
        case .untrusted:
            return tr(
                """
                The certificate of the server {1} is not trusted, so nothing is sent there. Ask who runs it, or \
                install its certificate authority on this computer.
                """, arguments: arguments)
        case .missing: return tr("There is no folder at {1}. Make it there, or check the path.", arguments: arguments)
        case .noProgram:
            return tr(
                "rclone is not installed, which the remote {1} needs. Install it.", arguments: arguments)
        case .notStarted:
            return tr(
                "rclone does not start, which the remote {1} needs. Check its configuration.", arguments: arguments)
        case .notConfigured: return tr("rclone has no remote of the name in {1}.", arguments: arguments)
        case .trouble:
            return tr(
                "The server gave an answer about “{1}” that cannot be used (status {2}). It is tried again.",
                arguments: arguments)
        case .readOnly: return tr("The remote does not let you write to {1}.", arguments: arguments)
        case .noBucket:
            return tr("This remote keeps files in buckets. Name one as well: {1}BUCKET", arguments: arguments)
        case .unclear:
            return tr(
                "The remote {1} cannot be used. Check whether rclone itself can list it.", arguments: arguments)
        case .remotes:
            return tr("You configured: {1}", TextList.of(arguments.map { "rclone:\($0):" }))
        case .noRemotes: return tr("rclone has no remotes yet. Make one there.")
        case .noName: return tr("Give rclone:NAME:PATH, with the name of a remote that you configured in rclone.")
        case .noHost:
            return tr(
                """
                Roundel reaches other computers by rclone, which has no remote for {1} yet. Make one there, of the \
                kind sftp.
                """, arguments: arguments)
        case .badPath:
            return tr("The path of this remote has “.” or “..” in it. Give rclone:NAME:PATH without them.")
        }
    }
}
