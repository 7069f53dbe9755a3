import Synchronization

/// What the effects of one session report, until the control loop takes it.
final class ReportMailbox: Sendable {
    private let reports = Mutex<[EffectRunner.Report]>([])

    /// Adds a report; true if none waited before, so that the loop has to be told.
    func add(_ report: EffectRunner.Report) -> Bool {
        reports.withLock { reports in
            reports.append(report)
            return reports.count == 1
        }
    }

    /// At most `limit` reports, the oldest first, and whether more wait.
    func take(limit: Int) -> (reports: [EffectRunner.Report], hasMore: Bool) {
        reports.withLock { reports in
            let taken = Array(reports.prefix(limit))
            reports.removeFirst(taken.count)
            return (taken, !reports.isEmpty)
        }
    }
}
