internal import AsyncHTTPClient
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The library's clients that send requests to one server: two for each way by which it was reached.
final class ServerClients: Sendable {
    /// How long the server may take for its answer.
    enum Kind: Sendable {
        case usual
        /// For large uploads, of which the answer may take longer.
        case patient
    }

    private struct State {
        var pairs: [ProxySettings.Proxy?: (pair: ClientPair, tls: TLSConfiguration)] = [:]
        var lastProxy: ProxySettings.Proxy?
        var isShutDown = false
    }

    private let configuration: HTTPClient.Configuration
    private let patience: TimeAmount
    /// Where they come from and go to, and what for; nil if they are made and ended with this object.
    private let kept: (clients: KeptClients, use: KeptClients.Use)?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - configuration: Of the usual clients, without a proxy and without encryption.
    ///   - patience: How long the others wait for the next part of an answer.
    ///   - kept: Where they come from and go to, and what for; nil if they are made and ended with this object.
    init(
        _ configuration: HTTPClient.Configuration, patience: TimeAmount,
        kept: (clients: KeptClients, use: KeptClients.Use)?
    ) {
        (self.configuration, self.patience, self.kept) = (configuration, patience, kept)
    }

    /// The client for the next request.
    ///
    /// - Parameters:
    ///   - proxy: The proxy through which the server is reached; nil for none.
    ///   - tls: How connections are encrypted, the same for all requests.
    /// - Throws: If they were shut down: nobody would end a client that was made later.
    func client(
        _ kind: Kind, through proxy: ProxySettings.Proxy?, _ tls: TLSConfiguration
    ) throws(HTTPClientError) -> CountingClient {
        try state.withLock { state throws(HTTPClientError) in
            if state.isShutDown { throw .alreadyShutdown }
            state.lastProxy = proxy
            let pair = state.pairs[proxy]?.pair ?? takeKept(proxy, tls) ?? makePair(proxy, tls)
            state.pairs[proxy] = (pair, tls)
            return switch kind {
            case .usual: pair.usual
            case .patient: pair.patient
            }
        }
    }

    /// The proxy of the last request; nil for none.
    var lastProxy: ProxySettings.Proxy? { state.withLock { $0.lastProxy } }

    private func takeKept(_ proxy: ProxySettings.Proxy?, _ tls: TLSConfiguration) -> ClientPair? {
        kept.flatMap { $0.clients.take(KeptClients.Way(use: $0.use, proxy: proxy, tls: tls)) }
    }

    private func makePair(_ proxy: ProxySettings.Proxy?, _ tls: TLSConfiguration) -> ClientPair {
        var configuration = configuration
        configuration.tlsConfiguration = tls
        configuration.proxy = proxy?.configuration
        let usual = CountingClient(configuration)
        configuration.timeout.read = patience
        return ClientPair(usual: usual, patient: CountingClient(configuration))
    }

    /// Ends all clients. No request may be in progress.
    func shutDown() async {
        for entry in takeAll().values { await entry.pair.shutDown() }
    }

    /// Leaves all clients to who keeps them, or else ends them, which takes a while.
    func letGo() {
        for (proxy, entry) in takeAll() {
            if let kept {
                kept.clients.keep(entry.pair, for: KeptClients.Way(use: kept.use, proxy: proxy, tls: entry.tls))
            } else {
                Task { await entry.pair.shutDown() }
            }
        }
    }

    private func takeAll() -> [ProxySettings.Proxy?: (pair: ClientPair, tls: TLSConfiguration)] {
        state.withLock { state in
            defer { (state.pairs, state.isShutDown) = ([:], true) }
            return state.pairs
        }
    }
}
