import RoundelBus
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
        if argument.contains(":"), scheme == "rclone" { throw CommandFailure(Text.rcloneKeepsLogins) }
        guard argument.contains(":"), ["webdav+https", "webdav+http"].contains(scheme) else {
            if ItemArgument.looksLikeURI(argument), scheme != "file" {
                throw CommandFailure(Text.notALoginAddress, status: .usage)
            }
            self = .item(try ItemArgument(argument, resolver: resolver))
            return
        }
        do throws(RemoteAccount.Mistake) {
            self = .remote(LoginRemote(address: argument, account: try RemoteAccount(remote: argument)))
        } catch {
            throw CommandFailure(Text.unusableAddress(because: error), status: .usage)
        }
    }

    /// Parses an argument of this process.
    static func parse(_ text: String) throws -> LoginArgument {
        try LoginArgument(text, resolver: .forThisProcess())
    }

    /// The remote to use.
    ///
    /// - Parameter folders: The synced folders.
    /// - Throws: ``CommandFailure`` for a path outside of them, and for a folder whose remote needs no login.
    func remote(of folders: [SyncedFolder]) throws -> LoginRemote {
        switch self {
        case .remote(let remote): return remote
        case .item(let item):
            let folder = folders.first { folder in
                (try? ItemURI(folder.uri)).map { item.uri == $0 || item.uri.isBelow($0) } ?? false
            }
            guard let folder else { throw CommandFailure(Text.notInFolder(item.uri.sentencePath)) }
            if folder.remote.hasPrefix("rclone:") { throw CommandFailure(Text.rcloneKeepsLogins) }
            guard let account = try? RemoteAccount(remote: folder.remote) else {
                throw CommandFailure(Text.needsNoLogin(WorkerPath.sentence(folder.uri)))
            }
            return LoginRemote(address: folder.remote, account: account)
        }
    }
}

/// A remote that may need a login.
struct LoginRemote: Sendable, Equatable {
    /// Its address, as text for the worker.
    let address: String
    /// The account in the address.
    let account: RemoteAccount

    /// The same address with this user.
    func address(of user: String) -> String {
        guard account.user == nil, let mark = address.firstRange(of: "://") else { return address }
        let name = PercentCoding.encode(segment: Array(user.utf8))
        return String(address[..<mark.upperBound]) + name + "@" + String(address[mark.upperBound...])
    }
}
