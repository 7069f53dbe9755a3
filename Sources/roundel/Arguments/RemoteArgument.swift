import RoundelBus
import Secrets
import Support

/// The REMOTE of `roundel add`: what a folder syncs with.
enum RemoteArgument: Sendable, Equatable {
    /// A remote in the form that the worker takes.
    case remote(RemoteText)
    /// An address as people have it, of which the worker finds out what is there.
    case address(String)

    /// The text that the worker gets.
    var text: String {
        switch self {
        case .remote(let remote): remote.text
        case .address(let text): text
        }
    }

    /// - Throws: ``CommandFailure`` if the argument is not a remote.
    init(_ argument: String, resolver: PathSpelling) throws {
        if let exact = try RemoteText(exact: argument) {
            self = .remote(exact)
        } else if Self.isPath(argument) {
            self = .remote(RemoteText(try ItemArgument(argument, resolver: resolver).uri.uri))
        } else {
            self = .address(argument)
        }
    }

    /// Parses an argument of this process.
    static func parse(_ text: String) throws -> RemoteArgument {
        try RemoteArgument(text, resolver: .forThisProcess())
    }

    /// Whether an argument is a path rather than an address. A server has a dot, a colon or an @ in its first part; a
    /// directory of such a name is written with `./`.
    private static func isPath(_ argument: String) -> Bool {
        if ItemArgument.looksLikeURI(argument) { return argument.lowercased().hasPrefix("file:") }
        if argument.isEmpty || argument == "~" || ["/", "./", "../", "~/"].contains(where: argument.hasPrefix) {
            return true
        }
        let first = argument.prefix { $0 != "/" }
        return first == "." || first == ".." || !first.contains { ".:@".contains($0) }
    }
}

/// A remote as text for the worker, and the account whose login it needs.
struct RemoteText: Sendable, Equatable {
    let text: String
    /// Nil for a directory, and for a remote of rclone, which stores its own logins.
    let account: RemoteAccount?

    init(_ text: String) {
        self.text = text
        account = try? RemoteAccount(remote: text)
    }

    /// Nil for a text that is in no form of the worker's other than a directory's.
    /// - Throws: ``CommandFailure`` for an address that cannot be used.
    init?(exact argument: String) throws {
        let scheme = argument.prefix { $0 != ":" }.lowercased()
        guard argument.contains(":") else { return nil }
        switch scheme {
        // The worker knows which remotes exist.
        case "rclone": self.init(scheme + argument.dropFirst(scheme.count))
        case "webdav+https", "webdav+http":
            do throws(RemoteAccount.Mistake) {
                _ = try RemoteAccount(remote: argument)
            } catch {
                throw CommandFailure(LoginArgument.unusableAddress(because: error), status: .usage)
            }
            self.init(argument)
        case _: return nil
        }
    }
}
