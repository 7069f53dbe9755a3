import RoundelBus
import Secrets

/// The PATH or REMOTE of `login` and `logout`: a synced folder, or the address of a server.
enum LoginArgument: Sendable, Equatable {
    case account(RemoteAccount)
    case item(ItemArgument)

    /// - Throws: ``CommandFailure`` with a sentence for the person, which holds nothing of an address: it might have a
    ///   password in it.
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
            self = .account(try RemoteAccount(remote: argument))
        } catch {
            throw CommandFailure(Text.unusableAddress(because: error), status: .usage)
        }
    }

    /// Reads an argument of this process.
    static func parse(_ text: String) throws -> LoginArgument {
        try LoginArgument(text, resolver: .forThisProcess())
    }

    /// The account that is meant.
    ///
    /// - Parameter folders: The synced folders.
    /// - Throws: ``CommandFailure`` for a path outside of them, and for a folder whose remote needs no login.
    func account(of folders: [SyncedFolder]) throws -> RemoteAccount {
        switch self {
        case .account(let account): return account
        case .item(let item):
            let folder = folders.first { folder in
                (try? ItemURI(folder.uri)).map { item.uri == $0 || item.uri.isBelow($0) } ?? false
            }
            guard let folder else { throw CommandFailure(Text.notInFolder(item.uri.sentencePath)) }
            guard let account = try? RemoteAccount(remote: folder.remote) else {
                throw CommandFailure(Text.needsNoLogin(WorkerPath.sentence(folder.uri)))
            }
            return account
        }
    }
}
