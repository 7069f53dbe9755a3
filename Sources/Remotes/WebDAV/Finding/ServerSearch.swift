internal import FoundationEssentials
internal import Glibc
internal import Remotes
internal import Support
internal import SyncCore

/// Looks for what is at the address of a server: asks the questions of a ``ServerFinder``, without a login, then those that
/// the saved login of the server answers.
struct ServerSearch: Sendable {
    let logins: any RemoteLogins
    let routes: ServerRoutes

    /// - Throws: Why nothing can be synced with there.
    func run(_ address: ServerAddress) async throws(RemoteRefusal) -> FoundRemote {
        let asker = ServerAsker(logins, routes)
        let result: Result<FoundRemote, RemoteRefusal>
        do throws(RemoteRefusal) {
            result = .success(try await find(address, asker))
        } catch {
            result = .failure(error)
        }
        await asker.end()
        return try result.get()
    }

    private func find(_ address: ServerAddress, _ asker: ServerAsker) async throws(RemoteRefusal) -> FoundRemote {
        switch try await place(address, asker) {
        case .collection(let location, let needsPassword):
            let found = FoundRemote(
                .webdav, Self.text(location, address.user), name: Self.name(of: location), server: location.origin,
                user: address.user)
            return needsPassword ? await withLogin(found, location) : found
        case .cloud(let cloud):
            if case .share(let token, let path) = cloud.item {
                return try await SharedLink(cloud: cloud, token: token, path: path, logins: logins, routes: routes)
                    .found(by: asker)
            }
            return try await CloudAccount(cloud: cloud, user: address.user, logins: logins, routes: routes).found(
                by: asker)
        }
    }

    private func place(_ address: ServerAddress, _ asker: ServerAsker) async throws(RemoteRefusal) -> ServerFinder.Place
    {
        do throws(ServerFinder.Failure) {
            var finder = try ServerFinder(address)
            var step = finder.next()
            while true {
                switch step {
                case .found(let place): return place
                case .failed(let failure): throw failure
                case .ask(let question):
                    do throws(DAVFailure) {
                        step = finder.next(after: try await asker.ask(question))
                    } catch {
                        step = finder.next(after: error)
                    }
                }
            }
        } catch {
            throw await Self.refusal(error)
        }
    }

    /// Whether the saved login, if there is one, is all that is needed.
    private func withLogin(_ found: FoundRemote, _ location: ServerLocation) async -> FoundRemote {
        var found = found
        found.login = .password
        guard let place = try? ServerPlace(found.remote, logins: logins, routes: routes),
            let login = try? await logins.login(for: place.account), (try? await place.tryLogin(nil)) != nil
        else { return found }
        (found.login, found.user, found.remote) = (.none, login.user, Self.text(location, login.user))
        return found
    }

    // MARK: Words

    /// An address as AddFolder takes it.
    static func text(_ location: ServerLocation, _ user: String?) -> String {
        let name = user.map { PercentCoding.encode(segment: Array($0.utf8)) + "@" } ?? ""
        let address = location.address(of: .root, isDirectory: true)
        guard let mark = address.firstRange(of: "://") else { return address }
        return "webdav+" + address[..<mark.upperBound] + name + address[mark.upperBound...]
    }

    /// The name of a collection for people: its own, or the server's.
    static func name(of location: ServerLocation) -> String { location.names.last?.description ?? location.host }

    private static func refusal(_ failure: ServerFinder.Failure) async -> RemoteRefusal {
        switch failure {
        case .unusable(.malformed): RemoteRefusal(.malformed)
        case .unusable(.credentials): RemoteRefusal(.password)
        case .unusable(.unencrypted): RemoteRefusal(.unencrypted)
        case .nothing(let place): RemoteRefusal(.invalid, Explanation(ServerCode.noServer, .remote, place.origin))
        case .maintained(let place): RemoteRefusal(.failed, Explanation(ServerCode.maintained, .remote, place.origin))
        case .foreignLogin(let place, let ways):
            RemoteRefusal(.invalid, Explanation(ServerCode.foreignLogin, .remote, [place.origin] + ways))
        case .unanswered(let place, let failure): await refusal(failure, at: place)
        }
    }

    /// Why a server cannot be asked.
    static func refusal(_ failure: DAVFailure, at place: ServerLocation) async -> RemoteRefusal {
        let address = place.origin
        // The proxy's own name may be the one that nobody has.
        if failure.proxy != nil { return RemoteRefusal(.failed, failure.unreached(address)) }
        switch (failure.reason, failure.detail) {
        case (_, .unknownHost?):
            return RemoteRefusal(.invalid, Explanation(ServerCode.unknownHost, .remote, place.host))
        case (_, .wantsCertificate?):
            return RemoteRefusal(.certificateNeeded, Explanation(ServerCode.wantsCertificate, .remote, address))
        case (_, .otherName?): return RemoteRefusal(.invalid, Explanation(ServerCode.otherName, .remote, address))
        case (.untrusted, nil):
            guard let certificate = await PeerCertificate.shown(by: place) else {
                return RemoteRefusal(.untrusted, Explanation(ServerCode.untrusted, .remote, address))
            }
            if !certificate.isCurrent {
                return RemoteRefusal(.invalid, Explanation(ServerCode.expired, .remote, address))
            }
            let issuer = certificate.issuer
            return RemoteRefusal(
                .untrusted,
                certificate.isOwn || issuer.isEmpty
                    ? Explanation(ServerCode.untrustedOwn, .remote, address)
                    : Explanation(ServerCode.untrustedFrom, .remote, address, issuer))
        case (_, nil), (_, .proxy?), (_, .proxyLogin?), (_, .proxyUnusable?):
            return RemoteRefusal(.failed, failure.unreached(address))
        }
    }
}

/// Asks servers questions, each server with a client of its own.
actor ServerAsker {
    private let logins: any RemoteLogins
    private let routes: ServerRoutes
    private var clients: [String: DAVClient] = [:]

    init(_ logins: any RemoteLogins, _ routes: ServerRoutes) { (self.logins, self.routes) = (logins, routes) }

    func ask(_ question: ServerQuestion) async throws(DAVFailure) -> ServerReply {
        try await client(of: question.place).ask(question)
    }

    private func client(of place: ServerLocation) -> DAVClient {
        if let client = clients[place.origin] { return client }
        let client = DAVClient(
            place.at([]), credentials: nil, routes: routes, certificates: logins.given(for: place.origin)
        ) { Int64(time(nil)) }
        clients[place.origin] = client
        return client
    }

    /// Ends all clients. No question may be in progress.
    func end() async {
        let ended = clients
        clients = [:]
        for client in ended.values { await client.shutDown() }
    }
}
