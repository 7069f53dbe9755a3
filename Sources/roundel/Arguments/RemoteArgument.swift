import RoundelBus
import Secrets

/// The REMOTE of `roundel add`: what a folder syncs with.
struct RemoteArgument: Sendable, Equatable {
    /// The remote as the worker takes it.
    let text: String

    /// The account whose login it needs; nil for a directory, and for a remote of rclone, which keeps its logins itself.
    let account: RemoteAccount?

    /// - Throws: ``CommandFailure`` for what is no remote.
    init(_ argument: String, resolver: PathSpelling) throws {
        let scheme = argument.prefix { $0 != ":" }.lowercased()
        if argument.contains(":"), scheme == "rclone" {
            // The worker knows which remotes there are.
            text = scheme + argument.dropFirst(scheme.count)
            account = nil
            return
        }
        if argument.contains(":"), ["webdav+https", "webdav+http"].contains(scheme) {
            do throws(RemoteAccount.Mistake) {
                account = try RemoteAccount(remote: argument)
            } catch {
                throw CommandFailure(Text.unusableAddress(because: error), status: .usage)
            }
            text = argument
            return
        }
        account = nil
        if ItemArgument.looksLikeURI(argument), scheme != "file" {
            throw CommandFailure(Text.notARemote(argument), status: .usage)
        }
        text = try ItemArgument(argument, resolver: resolver).uri.uri
    }

    /// Reads an argument of this process.
    static func parse(_ text: String) throws -> RemoteArgument {
        try RemoteArgument(text, resolver: .forThisProcess())
    }
}
