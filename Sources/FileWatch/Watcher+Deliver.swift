import SystemPackage

extension Watcher {
    /// Hands over what is due.
    func deliver() {
        for (token, fallback) in helpers.expire(at: now) { output.append(.resolved(token: token, fallback)) }
        let isQuiet = scanQueue.isEmpty && unsettled.isEmpty
        let flushed = isQuiet ? Set(flushes.map(\.folder)) : []
        for (id, anchor) in folders {
            let isDue = anchor.changes.deadline.map { $0 <= now } ?? false
            if isDue || flushed.contains(id) { releaseChanges(anchor, id) }
        }
        for anchor in observed.values {
            let isDue = anchor.vanishPeriod.map { $0.deadline <= now || !flushed.isEmpty } ?? false
            if isDue { releaseVanished(anchor) }
        }
        tellStatus(mayWait: !isQuiet)
        if isQuiet {
            for flush in flushes { output.append(.flushed(token: flush.token)) }
            flushes = []
        }
        outbox.put(output)
        output = []
    }

    private func releaseChanges(_ anchor: Anchor, _ id: FolderID) {
        guard let batch = anchor.changes.release(folder: id) else { return }
        sinks.removeAll(keepingCapacity: true)
        output.append(.changed(batch))
    }

    private func releaseVanished(_ anchor: Anchor) {
        let names = anchor.vanished.compactMap { FilePath.Component(bytes: $0) }
        anchor.vanished = []
        anchor.vanishPeriod = nil
        if !names.isEmpty { output.append(.itemsVanished(directory: anchor.path, names: names)) }
    }

    /// The count alone is told when there is something else to tell; unreliable folders at once.
    private func tellStatus(mayWait: Bool) {
        let unreliable = folders.filter(\.value.isUnreliable).keys.sorted { $0.rawValue < $1.rawValue }
        let status = WatchStatus(used: tree.watchCount, limit: budget.limit, unreliable: unreliable)
        guard status != told else { return }
        if status.unreliable == told.unreliable, mayWait || (output.isEmpty && flushes.isEmpty && told.limit != 0) {
            return
        }
        told = status
        output.append(.status(status))
    }
}
