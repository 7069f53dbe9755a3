internal import NIOSSL
internal import Support
internal import Synchronization

/// The library's two clients that send requests to one server by one way.
struct ClientPair: Sendable {
    let usual: CountingClient
    /// For large uploads, of which the answer may take longer.
    let patient: CountingClient

    /// No request may be in progress.
    func shutDown() async {
        await usual.shutDown()
        await patient.shutDown()
    }
}

/// Clients that nobody uses, with the connections that they have open: whoever asks the same server next goes on with them.
/// What a person does step by step, such as looking at a server, trying it out and adding a folder, then waits for one
/// encrypted connection, not for one in each step. Each client has one user at a time: folders share no connections.
///
/// Connections carry no login. Only who would encrypt them in the same way, with the same certificates, goes on with them.
final class KeptClients: Sendable {
    /// What two users must have in common to use the same clients one after the other.
    struct Use: Hashable, Sendable {
        let origin: String
        let connections: Int
        let connection: Duration
        let silence: Duration
        let patience: Duration
    }

    /// By which way a server is reached, and how.
    struct Way: Hashable, Sendable {
        let use: Use
        let proxy: ProxySettings.Proxy?
        let tls: TLSConfiguration

        static func == (one: Way, other: Way) -> Bool {
            one.use == other.use && one.proxy == other.proxy && one.tls.bestEffortEquals(other.tls)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(use)
            hasher.combine(proxy)
            tls.bestEffortHash(into: &hasher)
        }
    }

    private struct Kept {
        let pair: ClientPair
        let number: UInt64
    }

    private struct State {
        var pairs: [Way: Kept] = [:]
        var last: UInt64 = 0
    }

    /// Those of this process.
    static let shared = KeptClients(for: ServerExchange.idleTime)

    private let time: Duration
    private let state = Mutex(State())

    /// - Parameter time: How long clients are kept; none of their connections is open for longer.
    init(for time: Duration) { self.time = time }

    /// The servers for which there are any.
    var origins: Set<String> { state.withLock { Set($0.pairs.keys.map(\.use.origin)) } }

    /// Hands over clients that are kept; nil if there are none.
    func take(_ way: Way) -> ClientPair? { state.withLock { $0.pairs.removeValue(forKey: way)?.pair } }

    /// Keeps clients that are not used any more.
    func keep(_ pair: ClientPair, for way: Way) {
        let (number, former) = state.withLock { state in
            state.last += 1
            return (state.last, state.pairs.updateValue(Kept(pair: pair, number: state.last), forKey: way))
        }
        if let former { Task { await former.pair.shutDown() } }
        Task { [self] in
            try? await Task.sleep(for: time)
            let isKept = state.withLock { state in
                guard state.pairs[way]?.number == number else { return false }
                state.pairs[way] = nil
                return true
            }
            if isKept { await pair.shutDown() }
        }
    }
}
