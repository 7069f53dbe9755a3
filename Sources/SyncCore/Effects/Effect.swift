/// The number of one effect, with which its result comes back to the session.
package struct EffectID: Hashable, Sendable, Comparable {
    /// The number; unique in a session.
    package let rawValue: UInt64
    /// Wraps a number.
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    /// Orders by the order of issue.
    package static func < (left: EffectID, right: EffectID) -> Bool { left.rawValue < right.rawValue }
}

/// Names staged contents: a file on the destination's side that no listing shows.
///
/// The edge keeps staged files apart from the user's (its own directory on the same file system, or a temporary name
/// that listings leave out) and removes those of earlier sessions when it starts.
package struct StageID: Hashable, Sendable {
    /// The number; unique for a side, whichever session gave it.
    package let rawValue: UInt64
    /// Wraps a number.
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The one that is given after it.
    var next: StageID { StageID(rawValue + 1) }
}

/// Something that the session wants done or read in the outside world. Effects run in any order and at the same time,
/// except where the session itself waits for a result.
///
/// Every effect that replaces, moves or removes something names the version that it expects, and the edge checks it
/// immediately before it acts, as atomically as the side allows; anything else there is `changed`, and nothing is done.
package enum Effect: Hashable, Sendable {
    /// Probe both roots. Result: `roots`.
    case probeRoots
    /// Mark a root if it has no mark; it must be the known one. Result: `marked`.
    case markRoot(Side, knownAs: Token)
    /// List a part of a directory, without what is in its directories; symlinks are not followed. If another directory
    /// is there, `changed`. Result: `listing` or, where more follows, `page`.
    case listDirectory(Side, RelativePath, ListingPart)
    /// Read one entry of the directory with this identity, or of any if it is empty: if another directory is there,
    /// `changed`, if none is, `notFound`. Result: `entry`, with nil if nothing is there.
    case checkEntry(Side, RelativePath, in: Token)
    /// Read a file and hash it. Result: `hashed`, with the version seen before and after; a file that changed while it
    /// was read is `changed`, one open for writing `busy`.
    case hashFile(Side, RelativePath, expected: Version)

    /// Copy the contents of a file on `from` to a staged file on the other side and hash them. Result: `staged`.
    /// `changed` if the source is not, or does not stay, the expected version; `busy` if it is open for writing.
    case stage(StageID, from: Side, RelativePath, expected: Version)
    /// Make the contents of all these staged files durable, in one go where the side can. Result: `done`.
    case syncContents(Side, [StageID])
    /// Put a staged file in its place with one atomic rename. `expected` nil: nothing may be there (`exists`), else
    /// exactly that version, which goes to the replaced-store if the side is local; its owner, group and attributes go
    /// to the new one. `permissions` are at most those that the new one gets, nil leaves them to the side: those of the
    /// replaced version, or those of any new file. Result: `wrote`.
    case publish(StageID, Side, RelativePath, expected: Version?, permissions: Permissions?)
    /// Make a directory, with at most these permissions. `exists` if anything is there. Result: `wrote`.
    case makeDirectory(Side, RelativePath, permissions: Permissions?)
    /// Give an item these permissions, contents untouched; its set-id and sticky bits stay as they are. Where it cannot
    /// have them it stays as it is, and that is no failure. Result: `wrote` with the version after it.
    case setPermissions(Side, RelativePath, kind: EntryKind, expected: Version, Permissions)
    /// Rename, nothing replaced (`exists`). For a file the whole expected version must be there, for a directory its
    /// identity. Result: `wrote` with the version after it.
    case move(Side, from: RelativePath, to: RelativePath, kind: EntryKind, expected: Version)
    /// Put something else in the place of a local item, in one step, and keep the item beside it under the name
    /// `aside`, where nothing may be (`exists`). It must not be open for writing (`busy`). Result: `displaced`. If the
    /// machine stops in between, both are found at the next start. A staged file or new directory gets at most these
    /// permissions; a file that takes the name of a file carries on what that carries, as `publish`.
    case displace(LocalItem, aside: EntryName, by: Newcomer, permissions: Permissions?)
    /// Put the local item `from` in the place of the local item `to`, because the user resolved a conflict for this
    /// computer's version. If both are files, `to` goes to the replaced-store. Else both exchange their names, and `to`
    /// goes to the trash, a directory with all that is in it. Result: `wrote`.
    case replaceLocal(from: LocalItem, to: LocalItem)
    /// Put a local item, a directory with all that is in it, into the trash: the user chose the other version.
    /// Result: `done`.
    case discardLocal(LocalItem)
    /// Remove a file, or a directory that is empty (`notEmpty`; entries that listings leave out because they are the
    /// edge's own do not count). Locally it goes to the trash. Result: `done`; `notFound` if nothing is there.
    case remove(Side, RelativePath, kind: EntryKind, expected: Version)
    /// Make the renames, creations and removals in these directories durable, and the permissions of these items and the
    /// contents of files among them, in one go where the side can. What does not stand where it is said to be is made
    /// durable as well, wherever it is. Result: `done`.
    case syncRenames(Side, [BarrierItem])
    /// Forget staged files. Result: `done`.
    case discard(Side, [StageID])
    /// Carry out the effect if file systems are mounted at all these places, which is checked once more after an effect
    /// that only reads; else `notMounted`. Result: that of the effect.
    indirect case within([MountPoint], Effect)
}

/// A part of a directory that is to be listed.
package struct ListingPart: Hashable, Sendable {
    /// The directory's own identity; nothing if any may be there.
    package var identity: Token
    /// Only entries with greater names are wanted, by their bytes; nil for all.
    package var after: EntryName?

    /// A part.
    package init(identity: Token, after: EntryName? = nil) {
        self.identity = identity
        self.after = after
    }
}

/// An item that a barrier makes durable.
package struct BarrierItem: Hashable, Sendable {
    /// Where it was seen last.
    package var path: RelativePath
    /// Which one it is; nothing if that is not known, so that whatever is there is meant.
    package var identity: Token

    /// An item.
    package init(_ path: RelativePath, identity: Token = .none) {
        self.path = path
        self.identity = identity
    }
}

/// A place at which a file system has to be mounted.
package struct MountPoint: Hashable, Sendable {
    /// The side on which it is.
    package var side: Side
    /// Where, below the root.
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
    /// A local item that stands elsewhere.
    case item(LocalItem)
}

/// An item of the local side as an effect expects it.
package struct LocalItem: Hashable, Sendable {
    /// Where it stands.
    package var path: RelativePath
    /// What it is.
    package var kind: EntryKind
    /// What must be there: of a file the whole version, of a directory its identity.
    package var expected: Version

    /// An item.
    package init(path: RelativePath, kind: EntryKind, expected: Version) {
        self.path = path
        self.kind = kind
        self.expected = expected
    }
}
