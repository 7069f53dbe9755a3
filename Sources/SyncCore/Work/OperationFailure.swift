/// An operation failed: what becomes of it and of its item, and what must be looked at again.
struct OperationFailure {
    /// How often a side must deny a move until it counts as impossible: that takes about seven seconds.
    private static let denialsForGood = 4

    private let operation: Operation
    private let failure: EffectFailure

    init(_ operation: Operation, _ failure: EffectFailure) {
        self.operation = operation
        self.failure = failure
    }

    private var node: NodeID { operation.node }

    /// The operation was not carried out: it goes on another way, or is over.
    func settle(
        _ work: inout Work, _ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox
    ) throws {
        if try !goElsewhere(&work, &items, &survey, &outbox) { try drop(&work, &items, &survey, &outbox) }
    }

    /// What the operation needs could not be made durable, or it was not carried out: it is over.
    func drop(
        _ work: inout Work, _ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox
    ) throws {
        guard try work.end(node, &items) != nil else { return }
        outbox.discardStage(of: operation)
        if operation.isOfTree {
            try leaveTree(&items, &survey, &outbox)
        } else if try !goAnotherWay(&items) {
            if try !takeBackChoice(&items, &outbox) { try note(&items, &survey, &outbox) }
            noteRefusal(&items)
        }
        try lookAgain(items, &survey)
    }

    /// The contents could not be staged; the operation is over.
    func dropStaging(_ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox) throws {
        // The move is tried again with the contents.
        items.blocks.endRefusedMove(of: node)
        try note(&items, &survey, &outbox)
        if failure.reason != .unreachable { try lookAgain(items, &survey) }
    }

    private func note(_ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox) throws {
        try ItemFailure(node, failure).note(&items, &survey, &outbox)
    }

    // MARK: Other ways

    /// In a folder from which items are only uploaded, what the remote refuses shows what is there: true if nothing failed
    /// by that.
    private func goElsewhere(
        _ work: inout Work, _ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox
    ) throws -> Bool {
        guard items.uploads != nil, operation.side == .remote else { return false }
        switch try items.refusal(of: operation, failure) {
        case .isTaken:
            // What is staged goes there under another name.
            work.giveBack([node])
            return true
        case .mayBeGone:
            // If the root is gone, that says nothing about what is in it.
            survey.queue.requestProbe()
            try work.end(node, &items)
            outbox.discardStage(of: operation)
            return true
        case .other: return false
        }
    }

    /// The remote did not remove a directory with everything in it. What passes is waited for. Otherwise something in it is
    /// not as it was known, or the remote does not do that: each item in it is then removed by itself, only as it is known,
    /// so this is no failure that is shown.
    private func leaveTree(_ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox) throws {
        switch failure.reason {
        case .putOff, .unreachable, .notMounted: try note(&items, &survey, &outbox)
        case .changed, .notFound, .exists, .notEmpty, .busy, .nameClash, .denied, .noSpace, .io:
            try items.removeOneByOne(treeOf: node)
        }
    }

    /// What a side can never move is copied to its new place and removed from the old one: true if it will be.
    private func goAnotherWay(_ items: inout Items) throws -> Bool {
        guard case .move(let side, _, _) = operation.decision, failure.isOfMoving else { return false }
        if !failure.isAcrossFileSystems {
            // What is denied for a while may be allowed once the next permissions are set.
            let isForGood = items.blocks.deniedMoves(of: node) + 1 >= Self.denialsForGood
            if operation.isStepAside || !isForGood { return false }
        }
        // What is missing may be in the item, or may have been moved out of it.
        guard try items.store.node(node, in: .synced) != nil, try !items.isAnythingMissing() else { return false }
        if side == .remote, try items.planner.holdsPlaceholder(node) { return false }
        items.blocks.remove(node)
        items.blocks.endRefusedMove(of: node)
        // In a ring of exchanged names, the place of each copy is free only when another item has left it.
        try items.part(node, on: side, isRemovedLast: !operation.isStepAside)
        return true
    }

    /// If a side refused a move, contents that changed go where the item is.
    private func noteRefusal(_ items: inout Items) {
        guard case .move = operation.decision, !operation.isStepAside else {
            return items.blocks.endRefusedMove(of: node)
        }
        switch failure.reason {
        case .denied, .nameClash, .io, .noSpace:
            items.blocks.noteMove(of: node, isDenied: failure.reason == .denied)
        case .changed, .notFound, .exists, .notEmpty, .busy, .putOff, .unreachable, .notMounted: break
        }
    }

    /// The effect of a user's decision failed: true if the user must decide again and sees the reason. A failure that
    /// is likely to pass is retried instead.
    private func takeBackChoice(_ items: inout Items, _ outbox: inout Outbox) throws -> Bool {
        guard operation.decision.isChoice else { return false }
        switch failure.reason {
        case .busy, .putOff, .unreachable, .notMounted: return false
        case .nameClash, .denied, .noSpace, .io:
            try items.refuseChoice(node, failure.message, &outbox)
        case .changed, .notFound, .exists, .notEmpty:
            try items.refuseChoice(node, Explanation(.versionChanged), &outbox)
        }
        return true
    }

    // MARK: Looking again

    /// Looks at both sides of the item again, and at its destination.
    private func lookAgain(_ items: Items, _ survey: inout Survey) throws {
        let reason = failure.reason
        // Where nothing else is looked at, only this shows that the root is gone.
        let mayBeGone = reason == .notFound || reason == .changed
        if items.uploads != nil && operation.side == .remote && mayBeGone { survey.queue.requestProbe() }
        for side in Side.allCases {
            guard let row = try items.store.node(node, in: side.tree) else { continue }
            survey.check(side, row.place)
            if reason == .notEmpty || reason == .notFound { survey.list(side, row.parent, isDeep: false) }
            let isUnknown = reason == .notEmpty || (reason == .changed && operation.isOfTree && side == .remote)
            if isUnknown { survey.list(side, node, isDeep: true) }
        }
        switch operation.decision {
        case .transfer(_, _, let place, _), .describe(_, let place, _), .makeDirectory(_, let place),
            .move(_, let place, _):
            try lookAtDestination(place, items, &survey)
        case .displace(let displaced, _, let place):
            survey.check(.local, place)
            survey.check(.local, Place(parent: place.parent, name: displaced.name))
        case .promoteCopy(_, let other, _), .discard(let other, _):
            guard let row = try items.store.node(other, in: .local) else { return }
            survey.check(.local, row.place)
        case .free, .setPermissions, .remove, .removeTree: break
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .wait, .unseen, .blocked: break
        }
    }

    private func lookAtDestination(_ place: Place, _ items: Items, _ survey: inout Survey) throws {
        survey.check(operation.side, place)
        if failure.reason == .notFound { survey.list(operation.side, place.parent, isDeep: false) }
        // The remote may not let its user change the directory any more.
        if failure.reason == .denied, operation.side == .remote, place.parent != .root,
            let parent = try items.store.node(place.parent, in: .remote)
        {
            survey.check(.remote, parent.place)
        }
    }
}
