/// What failed, and when it is tried again.
extension SyncSession {
    /// An effect for an item failed: look again at once, later, or tell the user.
    mutating func fail(_ id: NodeID, _ failure: EffectFailure) throws {
        items.agenda.add(id)
        items.blocks.note(failure, of: id, at: items.now)
        switch failure.reason {
        case .changed, .notFound, .exists, .notEmpty, .busy: break
        case .unreachable: safeguards.goOffline(failure, &survey)
        case .notMounted: survey.requestMounts()
        case .nameClash, .denied, .noSpace, .io:
            try items.setError(id, failure.message)
            let path = try items.store.path(of: id, in: .local) ?? items.store.path(of: id, in: .remote) ?? .root
            outbox.report(Activity(kind: .error, node: id, path: path, detail: failure.message))
        }
    }

    /// What was said of an item that failed last for want of space, on either side; nil if there is none.
    public func shortageOfSpace() throws -> String? {
        guard let id = items.blocks.shortOfSpace else { return nil }
        return try items.store.status(id)?.message
    }

    /// Items that wait for somebody who writes them, some if they are many, with a sentence about each.
    public func itemsBeingWritten(limit: Int) -> [(node: NodeID, message: String)] {
        Array(items.blocks.beingWritten.prefix(limit))
    }

    /// Looks again at both sides of an item, and at the place where it was to go.
    mutating func lookAgain(_ operation: Operation, _ reason: EffectFailure.Reason) throws {
        for side in Side.allCases {
            guard let row = try items.store.node(operation.node, in: side.tree) else { continue }
            survey.check(side, row.place)
            if reason == .notEmpty || reason == .notFound { survey.list(side, row.parent, isDeep: false) }
            if reason == .notEmpty { survey.list(side, operation.node, isDeep: true) }
        }
        switch operation.decision {
        case .transfer(_, _, let place, _), .makeDirectory(_, let place), .move(_, let place, _):
            survey.check(operation.side, place)
            if reason == .notFound { survey.list(operation.side, place.parent, isDeep: false) }
        case .displace(let displaced, _, let place):
            survey.check(.local, place)
            survey.check(.local, Place(parent: place.parent, name: displaced.name))
        case .promoteCopy(_, let other, _), .discard(let other, _):
            guard let row = try items.store.node(other, in: .local) else { return }
            survey.check(.local, row.place)
        case .setPermissions, .remove: break
        case .nothing, .adopt, .dropBase, .merge, .separate, .hash, .wait, .unseen, .blocked: break
        }
    }
}
