internal import BadgeCore
internal import DBus

/// The calls that wait for the engine's reply.
struct CallTable {
    private var calls: [CallToken: MethodCall] = [:]
    private var last: UInt64 = 0

    /// Keeps a call and names it.
    mutating func insert(_ call: MethodCall) -> CallToken {
        last += 1
        let token = CallToken(last)
        calls[token] = call
        return token
    }

    /// The call of a token, which is forgotten.
    mutating func remove(_ token: CallToken) -> MethodCall? {
        calls.removeValue(forKey: token)
    }
}
