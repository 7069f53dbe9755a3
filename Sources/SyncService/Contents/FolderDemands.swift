internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// The demands made of one folder, and who made each.
final class FolderDemands {
    private let engine: SyncFolder
    private var waiting: [DemandID: (DemandReport) -> Void] = [:]
    private var last: UInt64 = 0

    init(_ engine: SyncFolder) {
        self.engine = engine
        engine.onDemandReport = { [weak self] id, report in self?.report(id, report) }
    }

    /// Makes a demand. `onReport` is told how far it is, and once how it ended, which may be at once.
    @discardableResult
    func make(_ demand: Demand, _ onReport: @escaping (DemandReport) -> Void) -> DemandID {
        last += 1
        let id = DemandID(last)
        waiting[id] = onReport
        engine.command(.demand(id, demand))
        return id
    }

    /// Nobody wants it any more. Nothing is reported of it from now on.
    func withdraw(_ id: DemandID) {
        guard waiting.removeValue(forKey: id) != nil else { return }
        engine.command(.withdraw(id))
    }

    private func report(_ id: DemandID, _ report: DemandReport) {
        switch report {
        case .ended: waiting.removeValue(forKey: id)?(report)
        case .waits, .progress: waiting[id]?(report)
        }
    }
}
