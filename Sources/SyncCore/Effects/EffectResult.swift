/// One entry of a listing.
package struct ListedEntry: Hashable, Sendable {
    /// The name. The edge leaves out its own files and refuses invalid names (promise 10).
    package var name: EntryName
    /// The kind of the entry.
    package var kind: EntryKind
    /// The version that the side reports.
    package var version: Version
    /// Whether a file system is mounted at it.
    package var isMountRoot: Bool
    /// What the side lets the user do with it; nil if it does not tell.
    package var access: ItemAccess?

    /// An entry.
    package init(
        name: EntryName, kind: EntryKind, version: Version, isMountRoot: Bool = false, access: ItemAccess? = nil
    ) {
        self.name = name
        self.kind = kind
        self.version = version
        self.isMountRoot = isMountRoot
        self.access = access
    }
}

/// The state of a root.
package enum RootState: Hashable, Sendable {
    /// It exists. `identity` stays the same as long as it is the same folder (locally device and inode, remotely a
    /// marker or what the server provides). `generation` changes when the side was restored from a backup, and is empty
    /// if the side does not report that. `tag` changes with any change in it, at any depth, and is empty if the side
    /// has no such tags.
    case present(identity: Token, generation: Token, tag: Token = .none)
    /// It is missing: deleted, not mounted, or replaced by something other than a directory.
    case missing(Explanation)
    /// It cannot be reached now: it is tried again later, and nothing is concluded.
    case unreachable(Explanation)
}

/// Why an effect was not carried out. Nothing visible to the user has changed.
package struct EffectFailure: Error, Hashable, Sendable {
    /// What the session must do about it.
    package enum Reason: UInt8, Hashable, Sendable, CaseIterable {
        /// Something other than the expected version is there: read it again.
        case changed
        /// Nothing is there: read it again.
        case notFound
        /// Something is there already: read it again.
        case exists
        /// The directory is not empty: list it again.
        case notEmpty
        /// The file is open for writing: try again later.
        case busy
        /// The side cannot hold this name beside another one that differs in case or normalisation, or at all.
        case nameClash
        /// Not permitted, or read-only.
        case denied
        /// No space, or over quota.
        case noSpace
        /// An I/O error or a protocol error.
        case io
        /// The side cannot be reached: everything on it waits.
        case unreachable
        /// The file system of the item is not mounted: check the mounts.
        case notMounted
        /// The side can be reached, but puts this item off: it is locked, or a proxy got no answer about it. Try again
        /// after growing pauses.
        case putOff
    }

    /// What the session must do about it.
    package var reason: Reason
    /// The message for the user: what failed, which path, what to do.
    package var message: Explanation

    /// Whether a side may never move the item: it is on another file system there, or may not leave or enter a
    /// directory. A file system that is read-only as a whole takes no copies either.
    var isOfMoving: Bool {
        reason == .denied && [.movedAcross, .onAnotherFileSystem, .denied].contains(message.code)
    }

    /// Whether the item would have to be moved between file systems.
    var isAcrossFileSystems: Bool { [.movedAcross, .onAnotherFileSystem].contains(message.code) }

    /// A failure.
    package init(_ reason: Reason, _ message: Explanation = .nothing) {
        self.reason = reason
        self.message = message
    }
}

/// The result of an effect.
package enum EffectResult: Hashable, Sendable {
    /// Carried out, without a further result.
    case done
    /// Both roots.
    case roots(local: RootState, remote: RootState)
    /// The identity of a marked root.
    case marked(Token)
    /// The entries of a directory, in any order, limited to the requested ones; `isComplete` only if there are
    /// certainly no others. The tag of a directory among them changes with any change in it, at any depth, and is empty
    /// if the side has no such tags. `tag` is that of the listed directory itself, with these entries.
    case listing([ListedEntry], isComplete: Bool, tag: Token = .none)
    /// The requested entries of a directory up to this name; others may follow. The names may be from when the first
    /// page was read; the entries are current.
    case page([ListedEntry], through: EntryName)
    /// The entry, or nil if nothing is there.
    case entry(ListedEntry?)
    /// The hash of a file, and the version that was hashed.
    case hashed(ContentHash, Version)
    /// Contents staged: their hash and the number of bytes.
    case staged(ContentHash, size: Int64)
    /// The version that is now in the place.
    case wrote(Version)
    /// The version that is now in the place, and that of the former item, which is now beside it.
    case displaced(by: Version, aside: Version)
    /// Like the other result, but something could not be kept.
    indirect case lacking(EffectResult, Explanation)
    /// Not carried out.
    case failed(EffectFailure)
}
