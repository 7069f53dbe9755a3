internal import AsyncHTTPClient
internal import Support
internal import Synchronization

/// The library's two clients that send requests to one server by one way.
struct ClientPair: Sendable {
    let usual: HTTPClient
    /// For large uploads, of which the answer may take longer.
    let patient: HTTPClient

    /// No request may be in progress.
    func shutDown() async {
        // It fails only if it was called before.
        try? await usual.shutdown()
        try? await patient.shutdown()
    }
}

/// Clients that nobody uses, with the connections that they have open: whoever asks the same server next goes on with them.
/// What a person does step by step, such as looking at a server, trying it out and adding a folder, then waits for one
/// encrypted connection, not for one in each step. Each client has one user at a time: folders share no connections.
///
/// Connections carry no login. Those that were made with a person's own certificates are not kept.
final class KeptClients: Sendable {
    /// What two users must have in common to use the same clients one after the other.
    struct Use: Hashable, Sendable {
        let origin: String
        let connections: Int
        let connection: Duration
        let silence: Duration
        let patience: Duration
    }

    private struct Key: Hashable {
        let use: Use
        let proxy: ProxySettings.Proxy?
    }

    private struct Kept {
        let pair: ClientPair
        let number: UInt64
    }

    private struct State {
        var pairs: [Key: Kept] = [:]
        var last: UInt64 = 0
    }

    /// Those of this process.
    static let shared = KeptClients(for: DAVClient.idleTime)

    private let time: Duration
    private let state = Mutex(State())

    /// - Parameter time: How long clients are kept; none of their connections is open for longer.
    init(for time: Duration) { self.time = time }

    /// The servers for which there are any.
    var origins: Set<String> { state.withLock { Set($0.pairs.keys.map(\.use.origin)) } }

    /// Hands over clients that are kept; nil if there are none.
    func take(_ use: Use, through proxy: ProxySettings.Proxy?) -> ClientPair? {
        state.withLock { $0.pairs.removeValue(forKey: Key(use: use, proxy: proxy))?.pair }
    }

    /// Keeps clients that are not used any more.
    func keep(_ pair: ClientPair, _ use: Use, through proxy: ProxySettings.Proxy?) {
        let key = Key(use: use, proxy: proxy)
        let (number, former) = state.withLock { state in
            state.last += 1
            return (state.last, state.pairs.updateValue(Kept(pair: pair, number: state.last), forKey: key))
        }
        if let former { Task { await former.pair.shutDown() } }
        Task { [self] in
            try? await Task.sleep(for: time)
            let isKept = state.withLock { state in
                guard state.pairs[key]?.number == number else { return false }
                state.pairs[key] = nil
                return true
            }
            if isKept { await pair.shutDown() }
        }
    }
}
