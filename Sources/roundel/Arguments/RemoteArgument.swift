import RoundelBus
import Secrets
import Support

/// The REMOTE of `roundel add`: what a folder syncs with.
struct RemoteArgument: Sendable, Equatable {
    /// The remote as text for the worker.
    let text: String

    /// The account whose login the remote needs; nil for a directory, and for a remote of rclone, which stores its own
    /// logins.
    let account: RemoteAccount?

    /// - Throws: ``CommandFailure`` if the argument is not a remote.
    init(_ argument: String, resolver: PathSpelling) throws {
        let scheme = argument.prefix { $0 != ":" }.lowercased()
        if argument.contains(":"), scheme == "rclone" {
            // The worker knows which remotes exist.
            text = scheme + argument.dropFirst(scheme.count)
            account = nil
            return
        }
        if argument.contains(":"), ["webdav+https", "webdav+http"].contains(scheme) {
            do throws(RemoteAccount.Mistake) {
                account = try RemoteAccount(remote: argument)
            } catch {
                throw CommandFailure(LoginArgument.unusableAddress(because: error), status: .usage)
            }
            text = argument
            return
        }
        account = nil
        if ItemArgument.looksLikeURI(argument), scheme != "file" {
            throw CommandFailure(
                tr(
                    """
                    “{1}” is not a remote: give a directory, as /path or file:///path, or webdav+https://HOST/PATH \
                    for a server, or rclone:NAME:PATH.
                    """, argument), status: .usage)
        }
        text = try ItemArgument(argument, resolver: resolver).uri.uri
    }

    /// Parses an argument of this process.
    static func parse(_ text: String) throws -> RemoteArgument {
        try RemoteArgument(text, resolver: .forThisProcess())
    }
}
