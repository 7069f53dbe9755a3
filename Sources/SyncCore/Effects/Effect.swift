/// The number of an effect; its result is returned to the session with it.
package struct EffectID: Hashable, Sendable, Comparable {
    /// The number; unique in a session.
    package let rawValue: UInt64
    /// Wraps a number.
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    /// Orders by the order of issue.
    package static func < (left: EffectID, right: EffectID) -> Bool { left.rawValue < right.rawValue }
}

/// Identifies staged contents: a file on the destination's side that no listing shows.
///
/// The edge keeps staged files separate from the user's (in its own directory on the same file system, or under a
/// temporary name that listings leave out) and removes those of earlier sessions when it starts.
package struct StageID: Hashable, Sendable {
    /// The number; unique for a side, whichever session gave it.
    package let rawValue: UInt64
    /// Wraps a number.
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The one that is given after it.
    var next: StageID { StageID(rawValue + 1) }
}

/// Something to do or read in the outside world. Effects may run in any order and at the same time; the session waits
/// for a result where order matters.
///
/// Every effect that replaces, moves or removes something contains the expected version. The edge checks it immediately
/// before it acts, as atomically as the side allows; if anything else is there, the result is `changed` and nothing is
/// done.
package enum Effect: Hashable, Sendable {
    /// Probe both roots. Result: `roots`.
    case probeRoots
    /// Mark a root if it has no mark, with that of the known one if it has one; it must be the known one, or be
    /// without a mark at its place. Result: `marked`.
    case markRoot(Side, knownAs: Token)
    /// List a part of a directory, without the contents of its directories; symlinks are not followed. `changed` if
    /// another directory is there. Result: `listing` or, if more follows, `page`.
    case listDirectory(Side, RelativePath, ListingPart)
    /// Read one entry of the directory with this identity, or of any directory if it is empty: `changed` if another
    /// directory is there, `notFound` if none is. Result: `entry`, with nil if nothing is there.
    case checkEntry(Side, RelativePath, in: Token)
    /// Read a file and hash it. Result: `hashed`, with the version seen before and after; a file that changed while it
    /// was read is `changed`, one open for writing `busy`.
    case hashFile(Side, RelativePath, expected: Version)

    /// Copy the contents of a file on `from` to a staged file on the other side and hash them. Result: `staged`.
    /// `changed` if the source is not, or does not stay, the expected version; `busy` if it is open for writing.
    case stage(StageID, from: Side, RelativePath, expected: Version)
    /// Make the contents of all these staged files durable, in one go where the side can. Result: `done`.
    case syncContents(Side, [StageID])
    /// Put a staged file in its place with one atomic rename. `expected` nil: nothing may be there (`exists`),
    /// otherwise exactly that version, which goes to the store of replaced versions if the side is local; the new file
    /// takes over its owner, group and attributes. The new file gets at most `permissions`; nil leaves the choice to
    /// the side: those of the replaced version, or those of any new file. Result: `wrote`.
    case publish(StageID, Side, RelativePath, expected: Version?, permissions: Permissions?)
    /// Fill a placeholder with staged contents, so that it stays the same file. Result: `wrote`.
    case fill(RelativePath, with: StageID, expected: Version)
    /// Leave a placeholder of a local file, if the remote file at that path has exactly that version, which is checked
    /// immediately before. `busy` if a program has the local file open. Result: `wrote`.
    case free(RelativePath, expected: Version, ifRemote: RelativePath, has: Version)
    /// Make a placeholder here with the size and the time of this version of the remote, and at most these permissions;
    /// or, if `expected` is not nil, give that placeholder this size and time. `exists` as with `publish`. Result:
    /// `wrote`.
    case describe(RelativePath, Version, expected: Version?, permissions: Permissions?)
    /// Make a directory, with at most these permissions. `exists` if anything is there. Result: `wrote`.
    case makeDirectory(Side, RelativePath, permissions: Permissions?)
    /// Give an item these permissions without touching its contents, set-id and sticky bits. If it cannot have them, it
    /// stays as it is, which is not a failure. Result: `wrote` with the version afterwards.
    case setPermissions(Side, RelativePath, kind: EntryKind, expected: Version, Permissions)
    /// Rename without replacing anything (`exists`). For a file the whole expected version must be there, for a
    /// directory its identity. Result: `wrote` with the version afterwards.
    case move(Side, from: RelativePath, to: RelativePath, kind: EntryKind, expected: Version)
    /// Replace a local item by something else in one step, and keep the item beside it under the name `aside`, which
    /// must be unused (`exists`). It must not be open for writing (`busy`). Result: `displaced`. After a power failure
    /// in between, the next start finds both. A staged file or new directory gets at most these permissions; a file
    /// that takes the name of a file takes over what that carries, as with `publish`.
    case displace(LocalItem, aside: EntryName, by: Newcomer, permissions: Permissions?)
    /// Put the local item `from` in the place of the local item `to`, because the user resolved a conflict in favour of
    /// this computer's version. If both are files, `to` goes to the store of replaced versions. Otherwise both exchange
    /// their names, and `to` goes to the trash, a directory with its contents. Result: `wrote`.
    case replaceLocal(from: LocalItem, to: LocalItem)
    /// Put a local item, a directory with its contents, into the trash: the user chose the other version. Result:
    /// `done`.
    case discardLocal(LocalItem)
    /// Remove a file, or an empty directory (`notEmpty`; the edge's own entries, which listings leave out, do not
    /// count). A local item goes to the trash. Result: `done`; `notFound` if nothing is there.
    case remove(Side, RelativePath, kind: EntryKind, expected: Version)
    /// Remove a directory from the remote with everything in it, if it has this tag, which changes with any change in it, at
    /// any depth: otherwise `changed`, and everything is where it was. Any other failure if the remote cannot tell. Result:
    /// `done`; `notFound` if nothing is there.
    case removeTree(RelativePath, expected: Version, tag: Token)
    /// Make the renames, creations and removals in these directories durable, and the permissions of these items and
    /// the contents of files among them, in one go if the side can. An item that is no longer at its path is made
    /// durable as well, wherever it is. Result: `done`.
    case syncRenames(Side, [BarrierItem])
    /// Discard staged files. Result: `done`.
    case discard(Side, [StageID])
    /// Carry out the effect if file systems are mounted at all these places, otherwise `notMounted`. After an effect
    /// that only reads, this is checked again. Result: that of the effect.
    indirect case within([MountPoint], Effect)
    /// Carry out the effect, which changes something in these local directories, although their owner may not: the remote
    /// does not let its user change them. They are opened for that moment. Result: that of the effect.
    indirect case opening([RelativePath], Effect)
}

/// A part of a directory to be listed.
package struct ListingPart: Hashable, Sendable {
    /// The directory's own identity; empty if any directory may be there.
    package var identity: Token
    /// Only entries with greater names, compared by bytes, are listed; nil for all.
    package var after: EntryName?

    /// A part.
    package init(identity: Token, after: EntryName? = nil) {
        self.identity = identity
        self.after = after
    }
}

/// An item that a barrier makes durable.
package struct BarrierItem: Hashable, Sendable {
    /// The path where it was last seen.
    package var path: RelativePath
    /// Its identity; empty if it is not known, so that whatever is there is meant.
    package var identity: Token

    /// An item.
    package init(_ path: RelativePath, identity: Token = .none) {
        self.path = path
        self.identity = identity
    }
}

/// A place at which a file system must be mounted.
package struct MountPoint: Hashable, Sendable {
    /// The side on which it is.
    package var side: Side
    /// The path below the root.
    package var path: RelativePath

    /// A place.
    package init(side: Side, path: RelativePath) {
        self.side = side
        self.path = path
    }
}

/// What takes the name of a local item.
package enum Newcomer: Hashable, Sendable {
    /// A staged file.
    case staged(StageID)
    /// A new, empty directory.
    case directory
    /// A local item from another place.
    case item(LocalItem)
}

/// An item of the local side, as an effect expects it.
package struct LocalItem: Hashable, Sendable {
    /// Its path.
    package var path: RelativePath
    /// Its kind.
    package var kind: EntryKind
    /// What must be there: for a file the whole version, for a directory its identity.
    package var expected: Version

    /// An item.
    package init(path: RelativePath, kind: EntryKind, expected: Version) {
        self.path = path
        self.kind = kind
        self.expected = expected
    }
}
