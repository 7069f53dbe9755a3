import Setup
import Support

extension WorkerObstacle {
    private static let journal = "journalctl --user -u roundel-worker"

    /// What keeps the worker from starting, and what to do.
    var sentence: String {
        switch self {
        case .said(let sentence): sentence
        case .programMissing(let directory):
            tr(
                "The sync worker cannot start: there is no roundel-worker in {1}. Install Roundel again.",
                directory.displayed)
        case .masked:
            tr(
                "The sync worker cannot start, because its unit is masked. To let it start: {1}",
                "systemctl --user unmask roundel-worker")
        case .keepsFailing:
            tr(
                "The sync worker ended several times in a row, so it is started no more. See why: {1}. Then: {2}",
                Self.journal, "systemctl --user reset-failed roundel-worker")
        case .failed(let status?):
            tr("The sync worker ended with status {1}. See why: {2}", "\(status)", Self.journal)
        case .failed(nil): tr("The sync worker crashed. See why: {1}", Self.journal)
        }
    }
}
