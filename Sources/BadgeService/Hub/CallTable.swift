internal import BadgeEngine
internal import DBus
internal import RoundelBus

/// The calls that wait for the engine's reply.
struct CallTable {
    private struct Entry {
        let call: OpenCall
        /// The host for which the call counts.
        let host: String?
    }

    private var calls: [CallToken: Entry] = [:]
    private var counts: [String: Int] = [:]
    private var last: UInt64 = 0

    /// Keeps a call and returns its token.
    mutating func insert(_ call: OpenCall) -> CallToken { insert(Entry(call: call, host: nil)) }

    /// Keeps a host's call and returns its token; nil if the host already has ``Limits/callsPerCaller`` waiting calls.
    mutating func insert(_ call: OpenCall, of host: String) -> CallToken? {
        // Usually nothing waits, so no counts are needed.
        guard !calls.isEmpty else { return insert(Entry(call: call, host: nil)) }
        let count = counts[host] ?? 0
        guard count < Limits.callsPerCaller else { return nil }
        counts[host] = count + 1
        return insert(Entry(call: call, host: host))
    }

    private mutating func insert(_ entry: Entry) -> CallToken {
        last += 1
        let token = CallToken(last)
        calls[token] = entry
        return token
    }

    /// Removes and returns the call of a token.
    mutating func remove(_ token: CallToken) -> OpenCall? {
        guard let entry = calls.removeValue(forKey: token) else { return nil }
        if let host = entry.host, let count = counts[host] { counts[host] = count > 1 ? count - 1 : nil }
        return entry.call
    }
}

/// A call that waits for the engine's reply.
enum OpenCall {
    /// It came over the bus.
    case bus(MethodCall)
    /// It came from a ``LocalHost``.
    case local((Result<Reply, RoundelError>) -> Void)

    /// Sends the engine's reply.
    func answer(_ reply: Reply) {
        switch self {
        case .bus(let call): call.answer(reply)
        case .local(let answer): answer(.success(reply))
        }
    }

    /// Refuses the call.
    func fail(_ error: RoundelError) {
        switch self {
        case .bus(let call): call.fail(DBusError(error))
        case .local(let answer): answer(.failure(error))
        }
    }
}
