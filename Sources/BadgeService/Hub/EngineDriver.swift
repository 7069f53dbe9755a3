internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Feeds the engine one event at a time, and keeps the calls that wait for its replies.
final class EngineDriver {
    /// The engine, to read from.
    private(set) var engine = Engine()
    private var calls = CallTable()
    private var waiting: [Event] = []
    private var isFeeding = false
    /// Carries out the actions of an event. Must be set before the first event.
    var onActions: ((_ actions: [Action], _ event: Event) -> Void)?

    /// Passes one event to the engine and has its actions carried out. Events that occur meanwhile wait for their turn.
    func feed(_ event: Event) {
        waiting.append(event)
        guard !isFeeding else { return }
        isFeeding = true
        defer { isFeeding = false }
        var next = 0
        while next < waiting.count {
            let event = waiting[next]
            next += 1
            onActions?(engine.handle(event, now: .now), event)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    // MARK: Calls

    /// Passes on the call of a host on the bus; false if too many calls of this host wait already.
    func submit(_ request: HostRequest, from caller: String, _ call: MethodCall) -> Bool {
        guard let token = calls.insert(.bus(call), of: caller) else { return false }
        feed(.host(HostCall(caller: caller, token: token, request: request)))
        return true
    }

    /// Passes on the call of a host inside the process.
    func submit(
        _ request: HostRequest, from caller: String, _ answer: @escaping (Result<Reply, RoundelError>) -> Void
    ) {
        feed(.host(HostCall(caller: caller, token: calls.insert(.local(answer)), request: request)))
    }

    /// Passes on the call of a provider.
    func submit(_ request: RegistryRequest, from caller: String, _ call: MethodCall) {
        feed(.registry(RegistryCall(caller: caller, token: calls.insert(.bus(call)), request: request)))
    }

    /// Passes on a call of the settings.
    func submit(_ request: SettingsRequest, _ call: MethodCall) {
        feed(.settings(SettingsCall(token: calls.insert(.bus(call)), request: request)))
    }

    /// Passes on a call of the settings from inside the process.
    func submit(_ request: SettingsRequest, _ answer: @escaping (Result<Reply, RoundelError>) -> Void) {
        feed(.settings(SettingsCall(token: calls.insert(.local(answer)), request: request)))
    }

    /// Removes and returns the call that waits for this reply.
    func take(_ token: CallToken) -> OpenCall? { calls.remove(token) }
}
