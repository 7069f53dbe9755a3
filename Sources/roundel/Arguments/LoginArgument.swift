import Client
import Secrets
import Support

/// The PATH or REMOTE of `login` and `logout`: a synced folder, or the address of a server.
enum LoginArgument: Sendable, Equatable {
    case remote(LoginRemote)
    case item(ItemArgument)

    /// - Throws: ``CommandFailure`` with a sentence for the user, which does not contain the address, because that may
    ///   include a password.
    init(_ argument: String, resolver: PathSpelling) throws {
        let scheme = argument.prefix { $0 != ":" }.lowercased()
        if argument.contains(":"), scheme == "rclone" { throw CommandFailure(Self.rcloneKeepsLogins) }
        guard argument.contains(":"), ["webdav+https", "webdav+http"].contains(scheme) else {
            if ItemArgument.looksLikeURI(argument), scheme != "file" {
                throw CommandFailure(
                    tr("This is not a remote with a login: give webdav+https://USER@HOST/PATH or a synced folder."),
                    status: .usage)
            }
            self = .item(try ItemArgument(argument, resolver: resolver))
            return
        }
        do throws(RemoteAccount.Mistake) {
            self = .remote(LoginRemote(address: argument, account: try RemoteAccount(remote: argument)))
        } catch {
            throw CommandFailure(Self.unusableAddress(because: error), status: .usage)
        }
    }

    /// Parses an argument of this process.
    static func parse(_ text: String) throws -> LoginArgument {
        try LoginArgument(text, resolver: .forThisProcess())
    }

    /// The remote to use. The worker is asked only if the argument is a path.
    /// - Throws: `ClientError` for a path without a remote that needs a login.
    func remote(of folders: AccountFolders) async throws -> LoginRemote {
        switch self {
        case .remote(let remote): remote
        case .item(let item): try await folders.remote(of: item.uri)
        }
    }

    static var rcloneKeepsLogins: String {
        tr("rclone keeps the passwords of its remotes itself. See: rclone config")
    }

    static func unusableAddress(because mistake: RemoteAccount.Mistake) -> String {
        switch mistake {
        case .foreignScheme, .malformed:
            tr("This is not the address of a remote: give webdav+https://USER@HOST/PATH.")
        case .password:
            tr(
                """
                The address has a password in it, which every program of yours can read there. Leave it out; it is \
                asked for.
                """)
        case .unencrypted:
            tr("webdav+http:// would send the password unencrypted; use webdav+https://, except on this computer.")
        }
    }
}
