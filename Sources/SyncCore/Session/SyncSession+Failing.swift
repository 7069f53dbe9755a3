/// What failed, and when it is tried again.
extension SyncSession {
    /// Attempts that follow at once when the world was not as expected.
    private static let quickAttempts = 4
    /// The longest wait between two attempts, in milliseconds.
    private static let longestWait: Int64 = 300_000

    /// Leaves an item alone for a while, without blame.
    mutating func postpone(_ id: NodeID, milliseconds: Int64) {
        blocked[id, default: Block(attempts: 0, due: 0)].due = now.monotonic + milliseconds
    }

    /// An effect for an item failed: look again at once, later, or tell the user.
    mutating func fail(_ id: NodeID, _ failure: EffectFailure) throws {
        agenda.add(id)
        var block = blocked[id] ?? Block(attempts: 0, due: 0)
        block.attempts += 1
        block.isForSpace = failure.reason == .noSpace
        block.writing = failure.reason == .busy ? failure.message : nil
        let wait = min(Int64(1_000) << Int64(min(block.attempts, 20) - 1), Self.longestWait)
        switch failure.reason {
        case .changed, .notFound, .exists, .notEmpty:
            block.due = block.attempts <= Self.quickAttempts ? now.monotonic : now.monotonic + wait
        case .busy:
            block.attempts = 0
            block.due = now.monotonic + 1_000
        case .unreachable:
            goOffline(failure)
        case .notMounted:
            looking.needsMounts = true
            block.due = now.monotonic + wait
        case .nameClash, .denied, .noSpace, .io:
            // Only a person can end a clash, and each attempt may cost a transfer.
            block.due = now.monotonic + (failure.reason == .nameClash ? Self.longestWait : wait)
            try setError(id, failure.message)
            let path = try store.path(of: id, in: .local) ?? store.path(of: id, in: .remote) ?? .root
            outbox.report(Activity(kind: .error, node: id, path: path, detail: failure.message))
        }
        blocked[id] = block
    }

    /// What was said of an item that failed last for want of space, on either side; nil if there is none.
    public func shortageOfSpace() throws -> String? {
        guard let id = blocked.filter(\.value.isForSpace).keys.min() else { return nil }
        return try store.status(id)?.message
    }

    /// Items that wait for somebody who writes them, some if they are many, with a sentence about each.
    public func itemsBeingWritten(limit: Int) -> [(node: NodeID, message: String)] {
        let waiting = blocked.filter { $0.value.writing != nil }.sorted { $0.key < $1.key }
        return waiting.prefix(limit).map { ($0.key, $0.value.writing ?? "") }
    }

    /// Looks again at both sides of an item, and at the place where it was to go.
    mutating func lookAgain(_ operation: Operation, _ reason: EffectFailure.Reason) throws {
        for side in Side.allCases {
            guard let row = try store.node(operation.node, in: side.tree) else { continue }
            lookAt(side, row.place)
            if reason == .notEmpty || reason == .notFound { looking.list(side, row.parent, isDeep: false) }
            if reason == .notEmpty { looking.list(side, operation.node, isDeep: true) }
        }
        switch operation.decision {
        case .transfer(_, _, let place, _), .makeDirectory(_, let place), .move(_, let place, _):
            lookAt(operation.side, place)
            if reason == .notFound { looking.list(operation.side, place.parent, isDeep: false) }
        case .displace(let displaced, _, let place):
            lookAt(.local, place)
            lookAt(.local, Place(parent: place.parent, name: displaced.name))
        case .promoteCopy(_, let other, _), .discard(let other, _):
            guard let row = try store.node(other, in: .local) else { return }
            lookAt(.local, row.place)
        case .setPermissions, .remove: break
        case .nothing, .adopt, .dropBase, .merge, .separate, .hash, .wait, .unseen, .blocked: break
        }
    }
}
