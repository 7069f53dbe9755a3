package import RoundelBus
package import Secrets
internal import Support

/// A remote that may need a login.
package struct LoginRemote: Sendable, Equatable {
    /// Its address, as text for the engine.
    package let address: String
    /// The account in the address.
    package let account: RemoteAccount
    /// The engine that logs in.
    let engine: Engine

    /// A remote with this address and the account in it.
    package init(address: String, account: RemoteAccount, engine: Engine = .bundled) {
        self.address = address
        self.account = account
        self.engine = engine
    }

    /// The remote of a folder.
    /// - Throws: ``ClientError/loginKeptByRclone`` or ``ClientError/needsNoLogin(folder:)``.
    package init(of folder: SyncedFolder, engine: Engine = .bundled) throws(ClientError) {
        if folder.remote.hasPrefix("rclone:") { throw .loginKeptByRclone }
        guard let account = try? RemoteAccount(remote: folder.remote) else { throw .needsNoLogin(folder: folder.uri) }
        self.init(address: folder.remote, account: account, engine: engine)
    }

    /// The same address with this user.
    func address(of user: String) -> String {
        guard account.user == nil, let mark = address.firstRange(of: "://") else { return address }
        let name = PercentCoding.encode(segment: Array(user.utf8))
        return String(address[..<mark.upperBound]) + name + "@" + String(address[mark.upperBound...])
    }
}
