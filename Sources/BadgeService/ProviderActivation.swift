internal import BadgeCore
internal import DBus
internal import RoundelBus

/// Starts providers by their bus names, with back-off.
final class ProviderActivation {
    private unowned let hub: BadgeHub
    private var attempts: [ProviderID: Attempt] = [:]

    private final class Attempt {
        var backOff = ActivationBackOff()
        var timer: LoopTimer?
        var hasStarted = false
    }

    init(hub: BadgeHub) {
        self.hub = hub
    }

    /// Starts a provider: the first time at once, later after its back-off.
    func start(_ id: ProviderID, busName: String) {
        let attempt = attempts[id] ?? Attempt()
        attempts[id] = attempt
        attempt.timer?.cancel()
        guard attempt.hasStarted else {
            attempt.hasStarted = true
            return launch(id, busName)
        }
        let timer = hub.loop.makeTimer { [unowned self] in launch(id, busName) }
        timer.set(deadline: attempt.backOff.stopped(at: EventLoop.now()))
        attempt.timer = timer
    }

    /// The provider has registered, or is not to be started any more.
    func settle(_ id: ProviderID) {
        guard let attempt = attempts[id] else { return }
        attempt.timer?.cancel()
        attempt.backOff.started(at: EventLoop.now())
    }

    private func launch(_ id: ProviderID, _ busName: String) {
        hub.bus.startService(busName) { [unowned hub] result in
            guard case .failure(let error) = result else { return }
            log(.warning, "The provider “\(id)” could not be started as \(busName): \(error.message)")
            hub.feed(.activationFailed(id, "It could not be started: \(error.message)"))
        }
    }
}
