/// A place in a tree.
struct Place: Hashable, Sendable {
    var parent: NodeID
    var name: EntryName
}

extension Node {
    var place: Place { Place(parent: parent, name: name) }
}

/// What is to be done next for one item.
enum Decision: Hashable, Sendable {
    /// Both sides and the base agree.
    case nothing
    /// Both sides agree: this becomes the base.
    case adopt(Node)
    /// Forget the base: gone on both sides, or a change that outlives a deletion.
    case dropBase
    /// Two nodes found at one place, of one kind, each known on one side alone: they are one item.
    case merge(keep: NodeID, drop: NodeID, tree: Tree)
    /// Hash the contents on this side.
    case hash(Side, Version)
    /// Bring the contents from one side to the other, to this place, over this version (nil: nothing is there).
    case transfer(from: Side, source: Version, to: Place, replacing: Version?)
    /// Make the directory on this side.
    case makeDirectory(Side, Place)
    /// Move it on this side.
    case move(Side, to: Place, expected: Version)
    /// Change its permissions on this side.
    case setPermissions(Side, expected: Version, Permissions)
    /// Remove it from this side.
    case remove(Side, expected: Version)
    /// A conflict of contents or of names: the local item at this place is renamed, and the remote's version or item
    /// gets its name.
    case displace(Displacement, by: Arrival, at: Place)
    /// A conflict of contents whose local version was renamed already: it becomes an item of its own.
    case separate
    /// It was moved on the other side to where on this side another file system is, into which nothing can be moved: what
    /// stands on this side was deleted on the other one, and what stands there is new.
    case part(Side)
    /// The user decided a conflict against this item: it goes to the trash, with all that is in it.
    case discard(NodeID, Version)
    /// The user chose this computer's version: the copy gets the place of the other node, which goes to the trash.
    case promoteCopy(Version, over: NodeID, replacing: Version)
    /// Another item must be handled first.
    case wait(NodeID)
    /// It is missing on a side, and it is not yet known whether it was moved or deleted; or it is held back.
    case unseen
    /// Cannot be done; the message says why and what to do.
    case blocked(Explanation)

    /// Whether it changes something that a person can see, so that it is published in a batch.
    var isPublished: Bool {
        switch self {
        case .transfer, .makeDirectory, .move, .setPermissions, .remove, .displace, .discard, .promoteCopy:
            true
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .wait, .unseen, .blocked: false
        }
    }

    /// Whether it carries out what the user decided about a conflict.
    var isChoice: Bool {
        switch self {
        case .discard, .promoteCopy: true
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .transfer, .makeDirectory, .move,
            .setPermissions,
            .remove, .displace, .wait, .unseen, .blocked:
            false
        }
    }

    /// The version whose contents are staged on the other side first.
    var staged: (from: Side, source: Version)? {
        switch self {
        case .transfer(let from, let source, _, _): (from, source)
        case .displace(_, .contents(let source), _): (.remote, source)
        case .displace(_, .directory, _), .displace(_, .item, _): nil
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .makeDirectory, .move, .setPermissions,
            .remove,
            .discard, .promoteCopy, .wait, .unseen, .blocked:
            nil
        }
    }
}

/// The local item that is renamed in a conflict.
struct Displacement: Hashable, Sendable {
    var node: NodeID
    var expected: Version
    /// Its name from then on.
    var name: EntryName
}

/// What gets the name in a conflict.
enum Arrival: Hashable, Sendable {
    /// A file whose contents come from the remote.
    case contents(source: Version)
    /// A directory that is not on this computer yet.
    case directory
    /// The item, which is elsewhere on this computer.
    case item(expected: Version)
}
