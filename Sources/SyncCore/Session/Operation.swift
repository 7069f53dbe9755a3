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
    /// What its effect was told about permissions.
    var permissions: Permissions?

    /// The side that is changed.
    var side: Side {
        switch decision {
        case .transfer(let from, _, _, _): from.other
        case .makeDirectory(let side, _), .move(let side, _, _), .setPermissions(let side, _, _), .remove(let side, _):
            side
        case .nothing, .adopt, .dropBase, .merge, .hash, .displace, .separate, .discard, .promoteCopy, .wait, .unseen,
            .blocked:
            .local
        }
    }
}

/// The batch that is being published.
struct Batch {
    /// How far it is.
    enum Step: Hashable {
        case contents
        case publishing
        case renames
    }

    var step: Step = .contents
    /// When it began, in monotonic milliseconds.
    let begun: Int64
    /// What is still to be begun, in order, the first last.
    var waiting: [NodeID]
    var running: Set<NodeID> = []
    /// Whether what runs must run alone: a directory changes its path.
    var isExclusive = false
    /// Barriers that have not answered.
    var barriers = 0
    /// Directories whose entries changed, and items whose permissions did.
    var touched: [Side: Set<NodeID>] = [:]
    /// What to tell once it is committed.
    var activities: [Activity] = []
}

/// What an effect in flight was begun for.
enum Purpose {
    case probe
    case mark(Side)
    case list(Side, NodeID, isDeep: Bool)
    case check(Side, Place)
    case claim(Claim)
    case hash(Side, NodeID, Version)
    case stage(NodeID)
    case contents(Side)
    case publish(NodeID)
    case renames(Side)
    case discard

    /// Whether it was begun to see what is there.
    var isLooking: Bool {
        switch self {
        case .probe, .list, .check, .claim: true
        case .mark, .hash, .stage, .contents, .publish, .renames, .discard: false
        }
    }
}

/// An entry that has the identity of an item last seen elsewhere: moved, if it is gone from there.
struct Claim {
    var side: Side
    var directory: NodeID
    var entry: ListedEntry
    var candidate: NodeID
}

/// What is still to be looked at.
struct Looking {
    struct Directory: Hashable {
        var side: Side
        var node: NodeID
    }

    struct Entry: Hashable {
        var side: Side
        var parent: NodeID
        var name: EntryName
    }

    struct Change: Hashable {
        var side: Side
        var path: RelativePath
        var isDirectory: Bool
    }

    var needsProbe = false
    /// Whether the places at which file systems were mounted are to be looked at.
    var needsMounts = false
    /// Whether the probe is followed by a listing of everything.
    var needsScan = false
    var directories: [Directory] = []
    /// Of each directory in the queue: whether all below is to be listed too.
    var depth: [Directory: Bool] = [:]
    var entries: [Entry] = []
    var claims: [Claim] = []
    /// What the watcher told; paths are turned into nodes when nothing is being published.
    var changes: [Change] = []
    var running = 0
    /// Whether rows may be missing that have to be decided on.
    var isUnsettled = false
    /// Directories that could not be listed: tried again with the next retry.
    var unlisted: Set<Directory> = []
    /// Whether the roots were probed since something was last looked at.
    var wasProbed = false
    /// Whether the user was asked about a restored remote and has not answered.
    var isRestoreKnown = false
    /// Synced items that went missing one after the other, with no longer pause than the quiet that is waited for.
    var losses = 0
    /// When the last of them did, in milliseconds of `Moment.monotonic`.
    var lastLoss: Int64 = 0
    /// Whether missing rows are not decided on because more may go missing.
    var isAwaitingQuiet = false
    /// When the timer is due that ends the quiet, if it is set.
    var quietDue: Int64?
    /// Sides whose root was listed without any entry.
    var emptied: Set<Side> = []

    var hasWork: Bool {
        needsProbe || needsMounts || !directories.isEmpty || !entries.isEmpty || !claims.isEmpty || !changes.isEmpty
    }

    mutating func list(_ side: Side, _ node: NodeID, isDeep: Bool) {
        let key = Directory(side: side, node: node)
        if let known = depth[key] {
            depth[key] = known || isDeep
        } else {
            depth[key] = isDeep
            directories.append(key)
        }
    }
}
