/// Something that is being done for one item, from the decision to the batch that publishes it.
struct Operation {
    /// Where an operation is on its way.
    enum Step: Hashable {
        case staging
        case ready
        case publishing
    }

    /// The item that is changed.
    let node: NodeID
    /// The item whose planning led here; it differs where another one stands in its way.
    let origin: NodeID
    var decision: Decision
    /// Moved out of a ring of exchanged names; planning again would not ask for it.
    let isStepAside: Bool
    var step: Step
    var stage: StageID?
    var hash: ContentHash?
    /// Whether the source could be written once more, in the same tick of the clock, after it was read.
    var isStagedRacy = false
    /// What its effect was told about permissions.
    var permissions: Permissions?

    /// Whether it lets somebody do more than before.
    var isOpening: Bool {
        guard case .setPermissions(_, let expected, let wanted) = decision else { return false }
        return expected.permissions.map { !wanted.subtracting($0).isNothing } ?? false
    }

    /// The items that get another place or version.
    var concerned: [NodeID] {
        if case .displace(let displaced, _, _) = decision { return [node, displaced.node] }
        return [node]
    }

    /// The item that goes to the trash with all that is in it, as the user decided a conflict against it.
    var discarded: NodeID? {
        switch decision {
        case .discard(let loser, _): loser
        case .promoteCopy(_, let original, _): original
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .transfer, .makeDirectory, .move,
            .setPermissions, .remove, .displace, .wait, .unseen, .blocked:
            nil
        }
    }

    /// The side that is changed.
    var side: Side {
        switch decision {
        case .transfer(let from, _, _, _): from.other
        case .makeDirectory(let side, _), .move(let side, _, _), .setPermissions(let side, _, _), .remove(let side, _):
            side
        case .nothing, .adopt, .dropBase, .merge, .hash, .displace, .separate, .part, .discard, .promoteCopy, .wait,
            .unseen,
            .blocked:
            .local
        }
    }
}

/// What an effect in flight was begun for.
enum Purpose {
    case probe
    case mark(Side)
    case list(Side, NodeID, RelativePath, PagedListing)
    case check(Side, Place, in: RelativePath)
    case claim(Claim)
    case hash(Side, NodeID, Version)
    case stage(NodeID)
    case contents(Side)
    case publish(NodeID)
    case renames(Side)
    case discard
}
