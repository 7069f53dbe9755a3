/// What was uploaded in a folder from which items are only uploaded: see ``UploadRules``.
extension Items {
    /// An uploaded item was deleted here: it stays where it was put, and is known no longer.
    mutating func forgetUploaded(_ id: NodeID) throws {
        for tree in [Tree.remote, .synced] where try store.node(id, in: tree) != nil { try erase(id, from: tree) }
    }

    /// If items are only uploaded from now on, or no longer, nothing that was synced before says anything: nothing is deleted.
    mutating func noteDirection() throws {
        guard try (store.value(.uploadOnly) != nil) != (uploads != nil) else { return }
        try store.setValue(uploads == nil ? nil : [1], for: .uploadOnly)
        try forgetBase()
    }

    /// Nothing that was uploaded is known any more: all of it is uploaded again, beside what is there.
    mutating func forgetAllUploaded() throws {
        for id in try childIDs(of: .root, in: .remote) { try eraseSubtree(id, in: .remote) }
    }

    /// An item, and everything in it, is not at the remote any more as it was put there. Somebody may have taken it: what
    /// was delivered is not brought again, and what changes from now on is new.
    mutating func loseUploaded(_ id: NodeID) throws {
        for gone in try subtreeUpwards(id, in: .remote) where try store.node(gone, in: .remote) != nil {
            try erase(gone, from: .remote)
            if try isKnown(gone) { try markDirty(gone) }
        }
    }

    /// Takes the items that may be gone from the remote.
    mutating func takeSuspected() -> [NodeID] { uploads?.takeSuspected() ?? [] }

    /// An operation put something into a directory of the remote.
    mutating func noteUpload(into directory: NodeID) { uploads?.noteArrival(in: directory) }

    /// What it means that the remote refused an operation. Where name after name is refused, or a directory is made anew
    /// again and again, that is a failure.
    mutating func refusal(of operation: Operation, _ failure: EffectFailure) throws -> UploadRefusal {
        switch failure.reason {
        case .exists, .nameClash:
            guard let place = operation.decision.newPlace else { return .other }
            uploads?.noteTaken(place)
            if blocks.isPersistent(operation.node) { return .other }
            blocks.note(EffectFailure(.exists), of: operation.node, at: now)
            return .isTaken
        case .changed, .notFound:
            // What was staged is gone, not what it was to replace.
            if failure.message.code == .contentsGone { return .other }
            guard let gone = operation.gone(failure.reason) else { return .other }
            // What else was on its way said so before.
            if try gone != operation.node && store.node(gone, in: .remote) == nil { return .mayBeGone }
            return uploads?.suspect(gone, isDirectoryOfIt: gone != operation.node) == true ? .mayBeGone : .other
        case .notEmpty, .busy, .denied, .noSpace, .io, .unreachable, .notMounted, .putOff: return .other
        }
    }
}

extension Decision {
    /// The place of the remote that must be free for it; nil if it needs none.
    fileprivate var newPlace: Place? {
        switch self {
        case .transfer(.local, _, let place, nil), .makeDirectory(.remote, let place), .move(.remote, let place, _):
            place
        case .transfer, .makeDirectory, .move, .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .describe,
            .free, .setPermissions, .remove, .removeTree, .displace, .discard, .promoteCopy, .wait, .unseen, .blocked:
            nil
        }
    }
}

extension Operation {
    /// The item that is not where it was put, if the remote refuses the operation for this reason; nil if that is the root,
    /// or none. Where something new has no directory, that is gone.
    fileprivate func gone(_ reason: EffectFailure.Reason) -> NodeID? {
        switch decision {
        case .transfer(.local, _, _, .some), .move(.remote, _, _): return node
        case .transfer(.local, _, let place, nil), .makeDirectory(.remote, let place):
            return reason == .notFound && place.parent != .root ? place.parent : nil
        case .transfer, .makeDirectory, .move, .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .describe,
            .free, .setPermissions, .remove, .removeTree, .displace, .discard, .promoteCopy, .wait, .unseen, .blocked:
            return nil
        }
    }
}
