internal import Support
internal import SyncCore

/// When one folder is scanned if not every change in it is reported.
final class FolderRescans {
    private var plan = RescanPlan()
    /// Whether a scan will start as soon as nothing else is running.
    private var awaitsRest = false

    /// The sides whose changes are not all reported.
    var unwatched: Set<Side> { plan.unwatched }
    /// The time between two scans.
    var interval: Duration { plan.interval }
    /// When the last complete scan began, in microseconds since 1970; nil if there was none.
    var lookedThrough: Int64? { plan.lookedThrough }
    /// When to scan the unwatched sides next; nil if that is not planned.
    var next: Instant? { plan.due }

    /// Sets which sides are not watched completely; returns whether the set of sides changed.
    func setUnwatched(_ sides: Set<Side>) -> Bool { plan.setUnwatched(sides, at: .now) }

    /// Something unknown has changed on a side; returns whether the next scan is due earlier than before.
    func hurry() -> Bool { plan.hurry(at: .now) }

    /// A full scan begins.
    func begin() { plan.begin(at: .now, date: WallClock.microseconds) }

    /// A run has ended, and with it the scan.
    func finish(foundChanges: Bool) { plan.finish(at: .now, foundChanges: foundChanges) }

    /// Begins a scan at rest if one is due; `scan` gets the sides to scan.
    func beginIfDue(_ runs: FolderRuns, _ scan: @escaping (Side) -> Void) {
        guard plan.takeDue(at: .now), !awaitsRest else { return }
        awaitsRest = true
        runs.whenAtRest { [weak self] in
            guard let self else { return }
            awaitsRest = false
            begin()
            for side in unwatched.sorted(by: { $0 == .local && $1 != .local }) { scan(side) }
        }
    }
}
