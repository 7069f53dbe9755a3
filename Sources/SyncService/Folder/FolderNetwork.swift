internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// How one folder uses the network: how fast, and whether it waits for a connection that is not metered.
final class FolderNetwork {
    /// Called when the folder begins or ends to wait for a connection.
    var onChange: () -> Void = {}
    private let pace: TransferPace
    private let engine: SyncFolder
    private let choices: FolderChoices
    private var hold: MeteredHold

    /// - Parameter pace: The bandwidth limit; the result is nil for a remote that needs no network, which has none.
    init?(_ choices: FolderChoices, pace: TransferPace?, engine: SyncFolder) {
        guard let pace else { return nil }
        (self.choices, self.pace, self.engine) = (choices, pace, engine)
        hold = MeteredHold(isAllowed: choices.settings.network?.isAllowedOnMetered ?? false)
    }

    /// Whether the connection keeps the folder from syncing.
    var isHeld: Bool { hold.isHeld }

    /// Whether the folder waits for a connection that is not metered.
    var isWaiting: Bool { hold.isHeld && !choices.settings.paused }

    func handle(_ event: MeteredHold.Event) {
        switch hold.handle(event) {
        case nil: return
        case .hold:
            if !choices.settings.paused { engine.command(.pause) }
            // A large file could continue for hours.
            engine.abandonTransfers()
        case .goOn: if !choices.settings.paused { engine.command(.resume) }
        }
        onChange()
    }

    /// Applies changed choices, also to running transfers.
    func apply(_ use: NetworkUse) {
        pace.set(use.plan)
        handle(.allowed(use.isAllowedOnMetered))
    }

    /// How the folder uses the network now.
    var report: SyncNetworkReport {
        let use = choices.settings.network ?? .usual
        var report = SyncNetworkReport(id: choices.settings.id, uri: choices.settings.uri, use: use.wire)
        (report.upNow, report.downNow) = (pace.limits.up ?? 0, pace.limits.down ?? 0)
        report.changes = use.plan.change(after: .now).map { LocalTime.seconds(whenShowing: $0) * 1_000_000 }
        report.isHeld = isWaiting
        return report
    }
}
