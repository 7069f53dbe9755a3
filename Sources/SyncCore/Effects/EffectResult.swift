/// One entry of a listing.
package struct ListedEntry: Hashable, Sendable {
    /// The name. The edge leaves out its own files and refuses names that are none (promise 10).
    package var name: EntryName
    /// What it is.
    package var kind: EntryKind
    /// What the side says about it.
    package var version: Version
    /// Whether a file system is mounted at it.
    package var isMountRoot: Bool

    /// An entry.
    package init(name: EntryName, kind: EntryKind, version: Version, isMountRoot: Bool = false) {
        self.name = name
        self.kind = kind
        self.version = version
        self.isMountRoot = isMountRoot
    }
}

/// What a root looks like.
package enum RootState: Hashable, Sendable {
    /// It is there. `identity` is the same for as long as it is the same folder (locally device and inode, remotely a
    /// marker or what the server gives); `generation` changes when the side was restored from a backup, and is empty
    /// where the side does not say so; `tag` changes with whatever changes in it, however deep, and is empty where the side
    /// has no such tags.
    case present(identity: Token, generation: Token, tag: Token = .none)
    /// It is not there: deleted, not mounted, replaced by something that is no directory.
    case missing(Explanation)
    /// It cannot be reached now: it is tried again later, and nothing else follows.
    case unreachable(Explanation)
}

/// Why an effect was not carried out. Nothing that a person can see has changed.
package struct EffectFailure: Error, Hashable, Sendable {
    /// What the session has to do about it.
    package enum Reason: UInt8, Hashable, Sendable, CaseIterable {
        /// Something else than the expected version is there: read it again.
        case changed
        /// Nothing is there: read it again.
        case notFound
        /// Something is there already: read it again.
        case exists
        /// The directory is not empty: list it again.
        case notEmpty
        /// The file is open for writing: later.
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
    }

    /// What the session has to do about it.
    package var reason: Reason
    /// For a person: what, which path, what to do.
    package var message: Explanation

    /// A failure.
    package init(_ reason: Reason, _ message: Explanation = .nothing) {
        self.reason = reason
        self.message = message
    }
}

/// What became of an effect.
package enum EffectResult: Hashable, Sendable {
    /// Carried out, without a further result.
    case done
    /// Both roots.
    case roots(local: RootState, remote: RootState)
    /// The identity of a root that carries a mark.
    case marked(Token)
    /// The entries of a directory, in any order, without those that were not asked for; `isComplete` only if it is certain
    /// that there are no others. The tag of a directory among them changes with whatever changes in that, however deep; it
    /// is empty where the side has no such tags. `tag` is that of the directory itself, with these entries.
    case listing([ListedEntry], isComplete: Bool, tag: Token = .none)
    /// The entries of a directory up to this name, without those that were not asked for; others may follow. The names
    /// may be of when the first page was read, the entries are of now.
    case page([ListedEntry], through: EntryName)
    /// The entry, or nil if nothing is there.
    case entry(ListedEntry?)
    /// The hash of a file, and the version that has it.
    case hashed(ContentHash, Version)
    /// Contents staged: their hash and the number of bytes.
    case staged(ContentHash, size: Int64)
    /// What stands in the place now.
    case wrote(Version)
    /// What stands in the place now, and what stood there before and stands beside it now.
    case displaced(by: Version, aside: Version)
    /// As the other result says, but something could not be kept.
    indirect case lacking(EffectResult, Explanation)
    /// Not carried out.
    case failed(EffectFailure)
}
