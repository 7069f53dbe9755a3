import SyncCore

/// Removes, on both sides, the remains of large transfers that will not be resumed.
extension SyncFolder {
    /// After a run: removes the remains of transfers whose file is gone, changed or synced. What cannot be removed now
    /// is tried again after the next run.
    func removeUnusedPartials() {
        guard let transfers else { return }
        let unused = transfers.claimOthers().filter { !isWanted($0) }
        transfers.rest()
        guard !unused.isEmpty else { return }
        let partials = Partials(local: local, remote: remote)
        let (loop, letGo) = (loop, { @Sendable [weak self] in _ = self?.letGo() })
        Task(executorPreference: WorkThreads(limit: 1)) {
            await partials.remove(unused)
            loop.post(letGo)
        }
    }

    /// After `stop`, when the folder is no longer synced: removes the remains of all transfers, as far as the sides can
    /// be reached.
    package func removePartials() async {
        guard let transfers else { return }
        await Partials(local: local, remote: remote).remove(transfers.claimOthers())
        transfers.close()
    }

    /// Whether the file of a transfer still has the version that was being transferred, and that version is not synced
    /// yet.
    private func isWanted(_ claim: TransferClaim) -> Bool {
        guard let origin = claim.record?.origin else { return false }
        // An unreadable row decides nothing: the next run checks again.
        guard let found = try? versions(at: origin.path, on: origin.side) else { return true }
        guard let present = found.present, present.isSame(as: origin.version) else { return false }
        return found.synced.map { !$0.isSame(as: present) } ?? true
    }

    /// The version of an item that was last seen on a side, and the one that was last synced.
    private func versions(at path: RelativePath, on side: Side) throws -> (present: Version?, synced: Version?) {
        try store.withConnection {
            guard let id = try store.nodeID(at: path, in: side.tree) else { return (nil, nil) }
            let node = try store.node(id, in: side.tree)
            return (node?[side], try store.node(id, in: .synced)?[side])
        }
    }
}

/// The two sides, as keepers of partial transfers.
private struct Partials: Sendable {
    let local: any Endpoint
    let remote: any Endpoint

    /// Removes the remains of these transfers, and forgets each transfer of which nothing remains.
    func remove(_ claims: [TransferClaim]) async {
        for claim in claims {
            guard let record = claim.record else { continue }
            let keeper = (record.origin.side == .local ? remote : local) as? any KeepsPartialTransfers
            if await keeper?.removePartial(record) ?? true { claim.forget() }
        }
    }
}
