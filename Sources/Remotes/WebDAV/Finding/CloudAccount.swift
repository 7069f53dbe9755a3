internal import FoundationEssentials
internal import Glibc
internal import Remotes
internal import SyncCore

/// The files of a person with an account on a server with Nextcloud's layout.
struct CloudAccount: Sendable {
    let cloud: ServerCloud
    /// The name of the user in the address; nil if it names none.
    let user: String?
    let logins: any RemoteLogins
    let routes: ServerRoutes

    private var kind: FoundRemote.Kind { cloud.isOwnCloud ? .owncloud : .nextcloud }

    /// What was found, completely if a login is saved that the server accepts.
    func found(by asker: ServerAsker) async throws(RemoteRefusal) -> FoundRemote {
        let login = try? await logins.login(for: LoginAccount(server: cloud.place.origin, user: user))
        guard let login else { return provisional }
        let client = DAVClient(
            cloud.place.at([]), credentials: Credentials(user: login.user, password: login.password),
            routes: routes, certificates: logins.given(for: cloud.place.origin)
        ) { Int64(time(nil)) }
        let result: Result<FoundRemote, RemoteRefusal>
        do throws(RemoteRefusal) {
            result = .success(try await complete(client, login.user))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        return try result.get()
    }

    private func complete(_ client: DAVClient, _ user: String) async throws(RemoteRefusal) -> FoundRemote {
        let id: EntryName
        do throws(DAVFailure) {
            id = try await self.id(client)
        } catch {
            if error.reason == .loginNeeded { return provisional }
            throw await ServerSearch.refusal(error, at: cloud.place)
        }
        let names = try await self.names(client)
        return found(
            cloud.place.names + Self.files + [id] + names, below: names, user: user, login: .none, isProvisional: false)
    }

    private var provisional: FoundRemote {
        let names = if case .path(let names) = cloud.item { names } else { [] as [EntryName] }
        // Nextcloud has a page on which programs get a password of their own; ownCloud asks for one.
        return found(
            cloud.place.names + Self.own + names, below: names, user: user, login: cloud.isOwnCloud ? .password : .page,
            isProvisional: true)
    }

    private func found(
        _ names: [EntryName], below path: [EntryName], user: String?, login: FoundRemote.Login, isProvisional: Bool
    ) -> FoundRemote {
        FoundRemote(
            kind, ServerSearch.text(cloud.place.at(names), user), name: path.last?.description ?? cloud.place.host,
            server: cloud.place.origin, user: user, login: login, path: RelativePath(path).description,
            isProvisional: isProvisional)
    }

    /// The files of an account, and those of whoever is logged in.
    private static let files = ["remote.php", "dav", "files"].compactMap { EntryName($0) }
    private static let own = ["remote.php", "webdav"].compactMap { EntryName($0) }
    private static let userPage = ["ocs", "v2.php", "cloud", "user"].compactMap { EntryName($0) }

    /// The name under which the server has the files of whoever is logged in.
    private func id(_ client: DAVClient) async throws(DAVFailure) -> EntryName {
        let text = try await client.read(json: RelativePath(cloud.place.names + Self.userPage), [("format", "json")])
        guard let user = try? JSONDecoder().decode(CloudUser.self, from: Data(text)),
            user.ocs.data.id.utf8.count <= 255,
            let name = EntryName(user.ocs.data.id)
        else { throw DAVFailure(.malformed) }
        return name
    }

    /// The directory that the address means.
    private func names(_ client: DAVClient) async throws(RemoteRefusal) -> [EntryName] {
        switch cloud.item {
        case .path(let names): return names
        case .share: return []
        case .number(let number):
            let place = cloud.place.at(cloud.place.names + ServerPages.files + [number].compactMap { EntryName($0) })
            let target = (try? await client.ask(ServerQuestion(method: .page, place: place), isSigned: true))?.target
            guard let target, let page = place.target(target), page.origin == place.origin,
                case .path(let names)? = ServerLandmark(page.names, query: Self.query(target))?.item
            else {
                let address = place.address(of: .root, isDirectory: false)
                throw RemoteRefusal(.invalid, Explanation(ServerCode.itemUnknown, .remote, address))
            }
            return names
        }
    }

    private static func query(_ address: String) -> [String: String] {
        if case .server(let server) = TypedAddress("host/" + address.drop { $0 != "?" }, home: "") {
            server.query
        } else {
            [:]
        }
    }
}

/// Who is logged in.
private struct CloudUser: Decodable {
    struct Envelope: Decodable { var data: Contents }
    struct Contents: Decodable { var id: String }

    var ocs: Envelope
}
