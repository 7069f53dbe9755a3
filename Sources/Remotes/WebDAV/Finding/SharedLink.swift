internal import Glibc
internal import Remotes
internal import SyncCore
internal import Synchronization

/// What somebody shares by a link, on a server with Nextcloud's layout.
struct SharedLink: Sendable {
    let cloud: ServerCloud
    let token: EntryName
    let path: [EntryName]
    let logins: any RemoteLogins
    let routes: ServerRoutes

    private static let pages = ["s"].compactMap { EntryName($0) }
    private static let files = ["public.php", "dav", "files"].compactMap { EntryName($0) }

    private var location: ServerLocation {
        cloud.place.at(cloud.place.names + Self.files + [token] + path)
    }

    /// The collection behind the link, if anyone may change what is in it.
    func found(by asker: ServerAsker) async throws(RemoteRefusal) -> FoundRemote {
        let reply: ServerReply
        do throws(DAVFailure) {
            reply = try await asker.ask(ServerQuestion(method: .collection, place: location))
        } catch {
            throw await ServerSearch.refusal(error, at: cloud.place)
        }
        switch reply.status {
        case 207: break
        case 401: throw refusal(.sharePassword)
        case _: throw refusal(.shareClosed)
        }
        guard await mayChange else { throw refusal(.shareReadOnly) }
        return FoundRemote(
            cloud.isOwnCloud ? .owncloud : .nextcloud, ServerSearch.text(location, nil),
            name: path.last?.description ?? cloud.place.host, server: cloud.place.origin,
            path: RelativePath(path).description)
    }

    /// Whether files and directories may be made there; whoever is not told so finds out when the folder is added.
    private var mayChange: Bool {
        get async {
            let client = DAVClient(
                location, credentials: nil, routes: routes, certificates: logins.given(for: location.origin)
            ) { Int64(time(nil)) }
            let told = Mutex<[UInt8]?>(nil)
            try? await client.properties(of: .root, isDirectory: true, depth: .item, [.permissions]) { items in
                if let text = items.first?.properties[.permissions]?.text { told.withLock { $0 = text } }
            }
            await client.shutDown()
            return told.withLock { $0 }.map { $0.contains(UInt8(ascii: "C")) && $0.contains(UInt8(ascii: "K")) } ?? true
        }
    }

    private func refusal(_ code: ServerCode) -> RemoteRefusal {
        let page = cloud.place.at(cloud.place.names + Self.pages + [token])
        return RemoteRefusal(.invalid, Explanation(code, .remote, page.address(of: .root, isDirectory: false)))
    }
}
