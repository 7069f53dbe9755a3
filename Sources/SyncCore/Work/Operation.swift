/// The work on one item, from the decision to the batch that publishes it.
struct Operation {
    /// The progress of an operation.
    enum Step: Hashable {
        case staging
        case ready
        case publishing
    }

    /// The item that is changed.
    let node: NodeID
    /// The item whose planning led to this; it differs if another item was in its way.
    let origin: NodeID
    var decision: Decision
    /// Whether it is a temporary move that breaks a ring of exchanged names; planning again would not request it.
    let isStepAside: Bool
    var step: Step
    var stage: StageID?
    var hash: ContentHash?
    /// Whether the source could have been written again, in the same clock tick, after it was read.
    var isStagedRacy = false
    /// The permissions that its effect was given.
    var permissions: Permissions?

    /// Whether it gives someone more access than before.
    var isOpening: Bool {
        guard case .setPermissions(_, let expected, let wanted) = decision else { return false }
        return expected.permissions.map { !wanted.subtracting($0).isNothing } ?? false
    }

    /// The items whose place or version changes.
    var concerned: [NodeID] {
        if case .displace(let displaced, _, _) = decision { return [node, displaced.node] }
        return [node]
    }

    /// The item that goes to the trash with its contents, because the user decided a conflict against it.
    var discarded: NodeID? {
        switch decision {
        case .discard(let loser, _): loser
        case .promoteCopy(_, let original, _): original
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .transfer, .describe, .free, .makeDirectory,
            .move, .setPermissions, .remove, .removeTree, .displace, .wait, .unseen, .blocked:
            nil
        }
    }

    /// Whether it removes a directory from the remote with everything in it.
    var isOfTree: Bool {
        if case .removeTree = decision { true } else { false }
    }

    /// The side that changes.
    var side: Side {
        switch decision {
        case .transfer(let from, _, _, _): from.other
        case .makeDirectory(let side, _), .move(let side, _, _), .setPermissions(let side, _, _), .remove(let side, _):
            side
        case .removeTree: .remote
        case .describe, .free, .nothing, .adopt, .dropBase, .merge, .hash, .displace, .separate, .part, .discard,
            .promoteCopy, .wait, .unseen, .blocked:
            .local
        }
    }
}

/// The purpose of an effect in flight.
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
