/// A place in a tree.
struct Place: Hashable, Sendable {
    var parent: NodeID
    var name: EntryName
}

extension Node {
    var place: Place { Place(parent: parent, name: name) }
}

/// The next thing to do for one item.
enum Decision: Hashable, Sendable {
    /// Both sides and the base agree.
    case nothing
    /// Both sides agree: this becomes the base.
    case adopt(Node)
    /// Forget the base: the item is gone on both sides, or a change survives a deletion.
    case dropBase
    /// Two nodes of one kind at one place, each known only on one side: they are one item.
    case merge(keep: NodeID, drop: NodeID, tree: Tree)
    /// Hash the contents on this side.
    case hash(Side, Version)
    /// Transfer the contents from one side to the other, to this place, replacing this version (nil: nothing is there).
    /// A placeholder is filled with them.
    case transfer(from: Side, source: Version, to: Place, replacing: Version?)
    /// Make a placeholder of this version of the remote at this place, replacing this one (nil: nothing is there).
    case describe(Version, at: Place, replacing: Version?)
    /// Leave a placeholder of a local file if the remote still has this version.
    case free(expected: Version, remote: Version)
    /// Make the directory on this side.
    case makeDirectory(Side, Place)
    /// Move it on this side.
    case move(Side, to: Place, expected: Version)
    /// Change its permissions on this side.
    case setPermissions(Side, expected: Version, Permissions)
    /// Remove it from this side.
    case remove(Side, expected: Version)
    /// Remove the directory from the remote with everything in it, if it has this tag. Only a look at everything in it shows
    /// whether that may be done: ``Items/obstacle(toRemovingTree:isUnderWay:)``.
    case removeTree(expected: Version, tag: Token)
    /// A conflict of contents or of names: the local item at this place is renamed, and the remote's version or item
    /// gets its name.
    case displace(Displacement, by: Arrival, at: Place)
    /// A conflict of contents whose local version was renamed already: it becomes an item of its own.
    case separate
    /// It was moved on the other side to a place that is on another file system on this side, where nothing can be
    /// moved to. The item on this side counts as deleted on the other one, and the one there as new.
    case part(Side)
    /// The user decided a conflict against this item: it goes to the trash, with its contents.
    case discard(NodeID, Version)
    /// The user chose this computer's version: the copy takes the place of the other node, which goes to the trash.
    case promoteCopy(Version, over: NodeID, replacing: Version)
    /// Another item must be handled first.
    case wait(NodeID)
    /// It is missing on a side, and it is not known yet whether it was moved or deleted; or it is held back.
    case unseen
    /// It cannot be done; the message says why and what to do.
    case blocked(Explanation)

    /// Whether it changes something visible to the user, so that it is published in a batch.
    var isPublished: Bool {
        switch self {
        case .transfer, .describe, .free, .makeDirectory, .move, .setPermissions, .remove, .removeTree, .displace,
            .discard,
            .promoteCopy:
            true
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .wait, .unseen, .blocked: false
        }
    }

    /// Whether it carries out what the user decided about a conflict.
    var isChoice: Bool {
        switch self {
        case .discard, .promoteCopy: true
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .transfer, .describe, .free, .makeDirectory,
            .move, .setPermissions, .remove, .removeTree, .displace, .wait, .unseen, .blocked:
            false
        }
    }

    /// Whether it replaces or removes something, whose room may be free then.
    var makesRoom: Bool {
        switch self {
        case .transfer(_, _, _, let replaced): replaced != nil
        case .free, .remove, .removeTree, .discard, .promoteCopy: true
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .describe, .makeDirectory, .move,
            .setPermissions, .displace, .wait, .unseen, .blocked:
            false
        }
    }

    /// The version whose contents are staged on the other side first.
    var staged: (from: Side, source: Version)? {
        switch self {
        case .transfer(let from, let source, _, _): (from, source)
        case .displace(_, .contents(let source), _): (.remote, source)
        case .displace(_, .directory, _), .displace(_, .item, _): nil
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .describe, .free, .makeDirectory, .move,
            .setPermissions, .remove, .removeTree, .discard, .promoteCopy, .wait, .unseen, .blocked:
            nil
        }
    }
}

/// The local item that is renamed in a conflict.
struct Displacement: Hashable, Sendable {
    var node: NodeID
    var expected: Version
    /// Its new name.
    var name: EntryName
}

/// What takes the name in a conflict.
enum Arrival: Hashable, Sendable {
    /// A file whose contents come from the remote.
    case contents(source: Version)
    /// A directory that does not exist on this computer yet.
    case directory
    /// The item itself, which is elsewhere on this computer.
    case item(expected: Version)
}
