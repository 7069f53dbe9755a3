import SyncCore

/// What large transfers have left that nobody will go on with is removed, on both sides.
extension SyncFolder {
    /// After a run: removes what is left of transfers of files that are gone, changed, or synced. What cannot be removed
    /// now is tried again after the next run.
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

    /// After `stop`, when the folder is not synced any more: removes what is left of all transfers, as far as the sides can
    /// be reached.
    package func removePartials() async {
        guard let transfers else { return }
        await Partials(local: local, remote: remote).remove(transfers.claimOthers())
        transfers.close()
    }

    /// Whether the file of a transfer is still the version that it is of, and not synced yet.
    private func isWanted(_ claim: TransferClaim) -> Bool {
        guard let origin = claim.record?.origin else { return false }
        // What cannot be read now is asked again.
        guard let found = try? versions(at: origin.path, on: origin.side) else { return true }
        guard let present = found.present, present.isSame(as: origin.version) else { return false }
        return found.synced.map { !$0.isSame(as: present) } ?? true
    }

    /// What was last seen of an item on a side, and what was synced of it.
    private func versions(at path: RelativePath, on side: Side) throws -> (present: Version?, synced: Version?) {
        try store.withConnection {
            guard let id = try store.nodeID(at: path, in: side.tree) else { return (nil, nil) }
            let node = try store.node(id, in: side.tree)
            return (node?[side], try store.node(id, in: .synced)?[side])
        }
    }
}

/// The two sides as those that keep parts of transfers.
private struct Partials: Sendable {
    let local: any Endpoint
    let remote: any Endpoint

    /// Removes what is left of these transfers, and forgets those of which nothing is left.
    func remove(_ claims: [TransferClaim]) async {
        for claim in claims {
            guard let record = claim.record else { continue }
            let keeper = (record.origin.side == .local ? remote : local) as? any KeepsPartialTransfers
            if await keeper?.removePartial(record) ?? true { claim.forget() }
        }
    }
}
