internal import BadgeEngine
internal import DBus
internal import RoundelBus

/// The calls that wait for the engine's reply.
struct CallTable {
    private var calls: [CallToken: OpenCall] = [:]
    private var last: UInt64 = 0

    /// Keeps a call and names it.
    mutating func insert(_ call: OpenCall) -> CallToken {
        last += 1
        let token = CallToken(last)
        calls[token] = call
        return token
    }

    /// The call of a token, which is forgotten.
    mutating func remove(_ token: CallToken) -> OpenCall? {
        calls.removeValue(forKey: token)
    }
}

/// A call that waits for the engine's reply.
enum OpenCall {
    /// It came over the bus.
    case bus(MethodCall)
    /// It came from a ``LocalHost``.
    case local((Result<Reply, RoundelError>) -> Void)

    /// Gives the engine's reply.
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
