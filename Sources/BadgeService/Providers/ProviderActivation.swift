internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Starts providers by their bus names, and restarts, with back-off, those that ended or could not be started.
final class ProviderActivation {
    private let bus: Connection
    private let onFailure: (_ id: ProviderID, _ sentence: String) -> Void
    private var attempts: [ProviderID: Attempt] = [:]

    private final class Attempt {
        enum Stage {
            /// It runs, or should not be started.
            case settled
            /// The timer is set.
            case waiting
            /// The bus has been asked to start it.
            case starting
        }

        var stage = Stage.settled
        var busName: String
        var backOff = BackOff()
        var timer: LoopTimer?
        var hasStarted = false
        /// The last logged problem, so that the same failure is not logged repeatedly.
        var problem = ""

        init(busName: String) { self.busName = busName }
    }

    /// - Parameter onFailure: Called with each provider that could not be started, and why.
    init(bus: Connection, onFailure: @escaping (_ id: ProviderID, _ sentence: String) -> Void) {
        self.bus = bus
        self.onFailure = onFailure
    }

    /// Starts a provider: immediately the first time, later after its back-off.
    func start(_ id: ProviderID, busName: String) {
        let attempt = attempts[id] ?? Attempt(busName: busName)
        attempts[id] = attempt
        attempt.busName = busName
        switch attempt.stage {
        case .waiting, .starting: return
        case .settled where attempt.hasStarted: wait(id, attempt)
        case .settled:
            attempt.hasStarted = true
            launch(id, attempt)
        }
    }

    /// Called when the provider has registered, or should not be started any more.
    func settle(_ id: ProviderID) {
        guard let attempt = attempts[id] else { return }
        attempt.timer?.cancel()
        attempt.stage = .settled
        attempt.problem = ""
        attempt.backOff.started(at: .now)
    }

    private func wait(_ id: ProviderID, _ attempt: Attempt) {
        attempt.stage = .waiting
        let timer = attempt.timer ?? bus.loop.makeTimer { [unowned self] in launch(id, attempt) }
        attempt.timer = timer
        timer.set(at: attempt.backOff.stopped(at: .now))
    }

    private func launch(_ id: ProviderID, _ attempt: Attempt) {
        attempt.stage = .starting
        bus.startService(attempt.busName) { [unowned self] result in
            guard attempt.stage == .starting else { return }
            switch result {
            // The provider should register now; if it ends instead, its bus name loses its owner.
            case .success: attempt.stage = .settled
            case .failure(let error):
                report(error.message, of: id, attempt)
                wait(id, attempt)
            }
        }
    }

    private func report(_ problem: String, of id: ProviderID, _ attempt: Attempt) {
        if attempt.problem != problem {
            attempt.problem = problem
            log(.warning, "The provider “\(id.rawValue)” could not be started as \(attempt.busName): \(problem)")
        }
        onFailure(id, tr("It could not be started: {1}", problem))
    }
}
