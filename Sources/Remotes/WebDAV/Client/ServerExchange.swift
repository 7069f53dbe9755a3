internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import Remotes
internal import Support
internal import Synchronization

/// Sends prepared requests to one server: each can be cancelled and has a deadline, no thread blocks, no redirect is
/// followed, and credentials are sent only to their own server.
final class ServerExchange: Sendable {
    /// How long a connection stays open on which nothing is asked. Servers close those that were idle for five seconds or
    /// more; a request on a connection that is just closing is lost.
    static let idleTime = Duration.seconds(3)

    private let location: ServerLocation
    private let credentials: any CredentialSource
    private let limits: DAVLimits
    private let connections: Int
    private let clients: ServerClients
    private let routes: ServerRoutes
    /// How connections are encrypted.
    let encryption: ServerEncryption
    private let clock: @Sendable () -> Int64
    private let pause = ServerPause()
    /// The name of the server's software.
    private let said = Mutex<String?>(nil)
    /// How many seconds the server's clock is ahead of this computer's.
    private let offset = Mutex<Int64?>(nil)

    /// The parameters are those of ``DAVClient``.
    init(
        with location: ServerLocation, login credentials: any CredentialSource, trust: NIOSSLTrustRoots,
        limits: DAVLimits, connections: Int, routes: ServerRoutes, certificates: GivenCertificates?,
        kept: KeptClients?, clock: @escaping @Sendable () -> Int64
    ) {
        self.location = location
        self.credentials = credentials
        self.limits = limits
        self.connections = connections
        self.clock = clock
        self.routes = routes
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = trust
        tls.minimumTLSVersion = .tlsv12
        encryption = ServerEncryption(tls, certificates)
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(
                connect: TimeAmount(limits.connection), read: TimeAmount(limits.silence),
                write: TimeAmount(limits.silence)))
        // Measured with Apache over TLS, 30 ms away: version 2 takes as long for small files as eight connections do,
        // and ten times as long for a large one, because it sends at most 64 KiB before it waits for an answer.
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.connectionPool.idleTimeout = TimeAmount(Self.idleTime)
        // An automatic retry would hide the server's first response.
        configuration.connectionPool.retryConnectionEstablishment = false
        let patience = max(limits.largeFile, limits.silence)
        let use = KeptClients.Use(
            origin: location.origin, connections: connections, connection: limits.connection, silence: limits.silence,
            patience: patience)
        clients = ServerClients(
            configuration, patience: TimeAmount(patience), kept: kept.map { ($0, use) })
    }

    /// Ends the clients. No request may be in progress.
    func shutDown() async { await clients.shutDown() }

    /// The same at once, with the connections left to who asks the server next, if they were taken from there.
    func letGo() { clients.letGo() }

    /// The credentials, for connections other than requests.
    func login() async throws(DAVFailure) -> Credentials? { try await credentials.credentials() }

    /// Returns when the user logs out, or the task is cancelled.
    func loginEnds() async { await credentials.ends() }

    /// The current year by this computer's clock.
    var year: Int { Int(clock() / 31_556_952) + 1970 }

    /// Sends a request and, if it succeeds, reads the response; without `read`, the body is discarded.
    ///
    /// - Parameter time: The limit for the whole request; nil if contents are transferred, where only silence counts.
    func perform(
        _ request: HTTPClientRequest, within time: Duration?, by kind: ServerClients.Kind = .usual,
        _ read: (@Sendable (HTTPClientResponse) async throws -> Void)? = nil
    ) async throws(DAVFailure) -> DAVReply {
        let work: @Sendable () async throws -> DAVReply = { [self] in
            let response = try await begin(request, by: kind)
            if let read {
                try await read(response)
            } else {
                try await leave(response)
                // Partly done, or only promised: both count as not done.
                if response.status == .multiStatus || response.status == .accepted {
                    throw DAVFailure(.refused, status: Int(response.status.code))
                }
            }
            return DAVReply(status: Int(response.status.code), response.headers, year: year)
        }
        do {
            return if let time { try await Deadline.run(time, work) } else { try await work() }
        } catch {
            throw failure(error)
        }
    }

    private func requireSuccess(_ response: HTTPClientResponse) async throws {
        if (200..<300).contains(response.status.code) { return pause.noteSuccess() }
        try await leave(response)
        let failure = DAVFailure(
            status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"), now: clock(),
            year: year)
        // A server that sends only 503 may mean a single place.
        if case .throttled(let seconds) = failure.reason, seconds != nil || response.status == .tooManyRequests {
            pause.begin(seconds: seconds)
        }
        throw failure
    }

    /// Allows requests again regardless of earlier responses, because the user wants that.
    func resume() { pause.end() }

    /// Sends a request with the credentials, for a response of success.
    func begin(_ unsigned: HTTPClientRequest, by kind: ServerClients.Kind) async throws -> HTTPClientResponse {
        try pause.check()
        let credentials = try await credentials.credentials()
        var request = unsigned
        credentials?.sign(&request)
        let response = try await send(request, by: kind)
        if response.status == .unauthorized {
            try await leave(response)
            throw await self.credentials.refused(credentials)
        }
        try await requireSuccess(response)
        return response
    }

    /// Sends a request, and one without effects again if the server has just closed the connections that were kept.
    func send(_ request: HTTPClientRequest, by kind: ServerClients.Kind) async throws -> HTTPClientResponse {
        let isSafe = request.method == .HEAD || request.method == .PROPFIND || request.method == .GET
        var repetition = Repetition(connections: connections)
        while true {
            let (proxy, route) = try await way()
            let client = try clients.client(kind, through: proxy, try await encryption.configuration())
            let opened = client.opened
            do {
                return noting(try await client.http.execute(request, deadline: .distantFuture))
            } catch {
                let failure = self.failure(error)
                if failure.reason == .unreachable || failure.reason == .silent { routes.failed(route, to: location) }
                guard isSafe, failure.reason == .unreachable,
                    repetition.allows(after: error, opened: client.opened != opened)
                else { throw error }
            }
        }
    }

    /// The way to the server, and the proxy on it; nil for none.
    private func way() async throws -> (ProxySettings.Proxy?, ProxyRoute) {
        let route = await routes.route(to: location)
        switch route {
        case .direct: return (nil, route)
        case .proxy(let found): return (found, route)
        case .unusable(let address):
            var failure = DAVFailure(.unreachable)
            (failure.detail, failure.proxy) = (.proxyUnusable, address)
            // The settings may change; there is no other way to find out.
            routes.failed(route, to: location)
            throw failure
        }
    }

    /// Converts an error of the layers below, with the proxy that was used.
    func failure(_ error: any Error) -> DAVFailure {
        var failure = DAVFailure(error)
        guard failure.reason == .unreachable || failure.reason == .silent, failure.proxy == nil else { return failure }
        failure.proxy = clients.lastProxy.map { "\($0)" }
        return failure
    }

    /// Notes the server's clock and software, which every response contains.
    private func noting(_ response: HTTPClientResponse) -> HTTPClientResponse {
        let now = response.headers.first(name: "Date").flatMap { HTTPDate.seconds($0, year: year) }
        said.withLock { $0 = response.headers.first(name: "Server") }
        if let now { offset.withLock { $0 = now.subtractingReportingOverflow(clock()).partialValue } }
        return response
    }

    /// The name of the server's software in its last response.
    var program: String? { said.withLock { $0 } }

    /// Seconds since 1970 by the server's clock, in whole seconds; nil if it never reported them.
    var serverTime: Int64? {
        offset.withLock { $0 }.map { clock().addingReportingOverflow($0).partialValue }
    }

    /// Reads the rest of a response, so that the connection can be reused, but only as much as is worth it.
    private func leave(_ response: HTTPClientResponse) async throws {
        var size: Int64 = 0
        for try await part in response.body {
            size += Int64(part.readableBytes)
            if size > limits.unread { return }
        }
    }
}
