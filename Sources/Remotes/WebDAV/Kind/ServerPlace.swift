package import Remotes
internal import Support
package import SyncCore

/// A collection on a server with which a folder is synced, and the account whose login it needs.
package struct ServerPlace: LoginPlace {
    /// The collection.
    let location: ServerLocation
    /// The account; without a user, any login saved for the server is used.
    package let account: LoginAccount
    private(set) var logins: any RemoteLogins
    /// The ways to the server.
    let routes: ServerRoutes

    /// Parses `webdav+https://USER@HOST/PATH`, or on this computer also `webdav+http://…`.
    /// - Throws: `invalid`, without the address, which may contain a password.
    package init(
        _ text: String, logins: any RemoteLogins, routes: ServerRoutes = .environment
    ) throws(RemoteRefusal) {
        (self.logins, self.routes) = (logins, routes)
        do throws(AddressMistake) {
            account = try logins.account(in: text)
        } catch {
            throw RemoteRefusal(error)
        }
        do throws(ServerLocation.Mistake) {
            location = try ServerLocation(Self.addressWithoutUser(text))
        } catch {
            throw RemoteRefusal(.malformed)
        }
    }

    /// The address of the collection, for display.
    package var name: String { location.address(of: .root, isDirectory: true) }

    /// The canonical text of the remote.
    package var text: String {
        let user = account.user.map { PercentCoding.encode(segment: Array($0.utf8)) + "@" } ?? ""
        guard let mark = name.firstRange(of: "://") else { return name }
        return "webdav+" + name[..<mark.upperBound] + user + name[mark.upperBound...]
    }

    private static func addressWithoutUser(_ text: String) -> String {
        let address = text.drop { $0 != "+" }.dropFirst()
        guard let mark = address.firstRange(of: "://") else { return String(address) }
        let rest = address[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard let sign = authority.lastIndex(of: "@") else { return String(address) }
        return String(address[..<mark.upperBound] + rest[rest.index(after: sign)...])
    }

    /// Two users may have separate places at one address.
    package func overlaps(_ other: ServerPlace) -> Bool {
        guard location.origin == other.location.origin else { return false }
        if let user = account.user, let second = other.account.user, user != second { return false }
        if let files = AccountFiles(of: location), let second = AccountFiles(of: other.location), files.overlaps(second)
        {
            return true
        }
        let (names, others) = (location.names, other.location.names)
        return names.starts(with: others) || others.starts(with: names)
    }

    package func tryOut() async throws(RemoteRefusal) -> RemoteFindings {
        do throws(DAVFailure) {
            return try await ServerConnection(self).tryOut()
        } catch {
            throw refusal(error)
        }
    }

    package func makeMissing() async throws(RemoteRefusal) {
        do throws(DAVFailure) { try await ServerConnection(self).makeMissing() } catch { throw refusal(error) }
    }

    package func directories(in path: RelativePath, most: Int) async throws(RemoteRefusal) -> FoundDirectories {
        do throws(DAVFailure) {
            let connection = ServerConnection(self, limits: ServerDirectories.limits)
            return try await connection.directories(in: path, most: most)
        } catch {
            throw refusal(error)
        }
    }

    package func available() async -> Int64? { try? await ServerConnection(self).available() }

    package func open(for use: RemoteUse) -> RemoteConnection {
        let server = ServerConnection(self, traits: ServerTraits(names: use.findings.traits ?? []), pace: use.pace)
        return RemoteConnection(
            server.remote(owner: use.owner, transfers: use.transfers), resumesTransfers: true, server: server,
            pages: server, sharing: server, locking: server, versions: server)
    }

    // MARK: Logins

    package func tryLogin(_ login: RemoteLogin?) async throws(RemoteRefusal) {
        var place = self
        if let login { place.logins = TypedLogin(login: login, others: logins) }
        do throws(DAVFailure) { try await ServerConnection(place).tryLogin() } catch { throw loginRefusal(error) }
    }

    package func beginLogin() async throws(RemoteRefusal) -> (any LoginPage)? {
        try await ServerLoginPage.begin(at: self)
    }

    package func revokeLogin() async -> Bool { await ServerConnection(self).revokeLogin() }
}

/// A login that is tried before it is saved, in place of the saved one.
private struct TypedLogin: RemoteLogins {
    let login: RemoteLogin
    let others: any RemoteLogins

    func account(in address: String) throws(AddressMistake) -> LoginAccount { try others.account(in: address) }

    func login(for account: LoginAccount) async throws(LoginUnreadable) -> RemoteLogin? { login }

    func certificates(of server: String) -> ServerCertificates? { others.certificates(of: server) }

    func passphrase(ofKeyFor server: String) async throws(LoginUnreadable) -> String? {
        try await others.passphrase(ofKeyFor: server)
    }
}
