package import RoundelBus
package import Secrets
internal import Support

/// A remote that may need a login.
package struct LoginRemote: Sendable, Equatable {
    /// Its address, as text for the worker.
    package let address: String
    /// The account in the address.
    package let account: RemoteAccount

    /// A remote with this address and the account in it.
    package init(address: String, account: RemoteAccount) {
        self.address = address
        self.account = account
    }

    /// The remote of a folder.
    /// - Throws: ``ClientError/loginKeptByRclone`` or ``ClientError/needsNoLogin(folder:)``.
    package init(of folder: SyncedFolder) throws(ClientError) {
        if folder.remote.hasPrefix("rclone:") { throw .loginKeptByRclone }
        guard let account = try? RemoteAccount(remote: folder.remote) else { throw .needsNoLogin(folder: folder.uri) }
        self.init(address: folder.remote, account: account)
    }

    /// The same address with this user.
    func address(of user: String) -> String {
        guard account.user == nil, let mark = address.firstRange(of: "://") else { return address }
        let name = PercentCoding.encode(segment: Array(user.utf8))
        return String(address[..<mark.upperBound]) + name + "@" + String(address[mark.upperBound...])
    }
}
