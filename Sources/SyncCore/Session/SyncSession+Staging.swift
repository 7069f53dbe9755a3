/// Staging: contents go to the other side, where nobody sees them yet.
extension SyncSession {
    /// Begins as many transfers as may run.
    mutating func stageMore() throws {
        while outbox.hasRoom, let node = toStage.popLast() {
            guard var operation = operations[node], let (from, source) = operation.decision.staged,
                let path = try items.store.path(of: node, in: from.tree)
            else {
                try end(node)
                continue
            }
            lastStage += 1
            let stage = StageID(lastStage)
            operation.stage = stage
            operations[node] = operation
            staging += 1
            outbox.run(.stage(stage, from: from, path, expected: source), for: .stage(node))
        }
    }

    mutating func takeStaged(_ result: EffectResult, _ node: NodeID) throws {
        staging -= 1
        guard var operation = operations[node] else { return }
        if case .staged(let hash, let size) = result {
            operation.step = .ready
            operation.hash = hash
            operations[node] = operation
            try items.advanceOperation(node, to: size)
            return ready.append(node)
        }
        try end(node)
        guard case .failed(let failure) = result else { return }
        try fail(node, failure)
        if failure.reason != .unreachable { try lookAgain(operation, failure.reason) }
    }

    /// Forgets what was staged for an operation that will not be published.
    mutating func discardStage(of operation: Operation) {
        guard let stage = operation.stage, operation.hash != nil else { return }
        outbox.run(.discard(operation.side, [stage]), for: .discard)
    }
}
