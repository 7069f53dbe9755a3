package import SyncCore

/// One side of a synced folder as the effects see it: what can be looked at, staged, placed, moved and removed there.
///
/// Several calls may be under way at once. A disk's block the thread that they come on, which the runner provides for that;
/// a network's suspend, have a deadline, and end soon after their task is cancelled. Each one that replaces, moves or
/// removes something checks the expected version as atomically as the side can. A failure means that nothing visible
/// changed.
package protocol Endpoint: AnyObject, Sendable {
    /// What the root looks like now.
    func root() async -> RootState
    /// Gives the root, if it is the one that is known, the mark by which it is told from another at the same place, and
    /// returns its identity.
    func mark(knownAs known: Token) async throws(EffectFailure) -> Token
    /// Fails with `notMounted` unless a file system is mounted at each of these places.
    func requireMounted(_ paths: [RelativePath]) async throws(EffectFailure)
    /// Lets go of what is only needed while there is something to do.
    func rest()
    /// The entries of a part of a directory, as many as are worth handing over at once.
    func list(_ path: RelativePath, _ part: ListingPart) async throws(EffectFailure) -> ListingPage
    /// One entry of the directory with this identity, or of any if it is empty; nil if nothing is there.
    func entry(_ path: RelativePath, in directory: Token) async throws(EffectFailure) -> ListedEntry?

    /// Opens a file for reading, if it is the expected version and nobody has it open for writing.
    func open(_ path: RelativePath, expecting expected: Version) async throws(EffectFailure) -> any ContentSource
    /// Writes everything that `source` gives into a staged file that no listing shows.
    ///
    /// - Parameters:
    ///   - path: Where it is likely to be placed; the side may keep it near.
    ///   - progress: Called with the bytes written so far; false abandons the transfer.
    func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64)
    /// Makes staged contents durable.
    func syncContents(_ ids: [StageID]) async throws(EffectFailure)
    /// Forgets staged files; unknown ones are none.
    func discard(_ ids: [StageID]) async

    /// Puts a staged file in its place; `expected` nil: where nothing is.
    ///
    /// - Parameter permissions: What it opens at most; nil for those of the version that it replaces, or of any new file.
    func publish(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) async throws(EffectFailure) -> Placed
    /// Makes a directory.
    ///
    /// - Parameter permissions: What it opens at most; nil for those of any new directory.
    func makeDirectory(_ path: RelativePath, permissions: Permissions?) async throws(EffectFailure) -> Version
    /// Changes who may do what with an item, where that can be; where it cannot, nothing is changed and that is said.
    func setPermissions(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version, to permissions: Permissions
    ) async throws(EffectFailure) -> Placed
    /// Moves an item where nothing is.
    func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) -> Version
    /// Removes a file or an empty directory.
    func remove(_ path: RelativePath, kind: EntryKind, expecting expected: Version) async throws(EffectFailure)
    /// Makes the renames, creations and removals in these directories durable, and the permissions and contents of these
    /// items, those too that do not stand where they are said to be.
    func syncRenames(_ items: [BarrierItem]) async throws(EffectFailure)
}

/// The person's side, where an item can give its name to another one in one step.
package protocol LocalEndpoint: Endpoint {
    /// What the root looks like now, asked on a thread that may wait.
    func root() -> RootState
    /// Gives the name of an item to something else, and sets the item beside it under the name `aside`; returns what
    /// stands in the place now and what stands beside it.
    ///
    /// - Parameter permissions: What something staged or new opens at most; nil for those of the file that it displaces,
    ///   or of anything new.
    func displace(
        _ item: LocalItem, aside: EntryName, by newcomer: Newcomer, permissions: Permissions?
    ) async throws(EffectFailure) -> (here: Placed, aside: Version)
    /// Moves an item into the place of another, which is kept: a file replaced by a file where replaced versions go,
    /// anything else in the trash.
    func replace(_ replaced: LocalItem, with item: LocalItem) async throws(EffectFailure) -> Version
    /// Moves an item, a directory with all that is in it, into the trash.
    func discard(_ item: LocalItem) async throws(EffectFailure)
}

/// Entries of a directory.
package struct ListingPage: Sendable {
    /// The entries; when there are more, those with the first names.
    package var entries: [ListedEntry]
    /// Where there are more: up to which name these are all.
    package var through: EntryName?
    /// Whether it is certain that there are no others, of these names or at all.
    package var isComplete = true
    /// The tag of the directory with these entries, which changes with whatever changes in it, however deep; empty where
    /// there is none.
    package var tag = Token.none

    /// Some of them, or all.
    package init(entries: [ListedEntry], through: EntryName? = nil, isComplete: Bool = true, tag: Token = .none) {
        self.entries = entries
        self.through = through
        self.isComplete = isComplete
        self.tag = tag
    }

    /// As the session takes it.
    var result: EffectResult {
        if isComplete, let through { return .page(entries, through: through) }
        return .listing(entries, isComplete: isComplete, tag: tag)
    }
}

extension Endpoint {
    /// All entries of a directory, its own identity being `identity` unless that is empty.
    func list(_ path: RelativePath, identity: Token) async throws(EffectFailure) -> ListingPage {
        var all = try await list(path, ListingPart(identity: identity))
        while all.isComplete, let last = all.through {
            let next = try await list(path, ListingPart(identity: identity, after: last))
            all.entries += next.entries
            (all.through, all.isComplete) = (next.through, next.isComplete)
        }
        return all
    }
}

/// A file that is being read from one side.
package protocol ContentSource: AnyObject {
    /// Bytes, as the version says that was expected.
    var size: Int64 { get }
    /// Bytes of them that are not in holes, as far as that is known.
    var stored: Int64 { get }
    /// Nanoseconds since 1970.
    var modified: Int64 { get }
    /// Who may do what with it; nil where the side keeps no permissions.
    var permissions: Permissions? { get }
    /// Waits until a change made from now on would show in the version: no longer than the clock's grain after the
    /// last change.
    func settle() async
    /// Which file it is, if it has several names; nil if it has one, or if that is not known. Waits as `settle`.
    func linked() async -> LinkedFile?
    /// Of which version of which file it is; nil if a transfer of it cannot be gone on with in a later run.
    var origin: TransferOrigin? { get }
    /// The destination has all bytes before this one: reading may begin there. Before ``beginReading()`` it may be said several
    /// times, with a later or an earlier byte; to find out takes a while.
    func skip(to start: Int64)
    /// Begins to read, after what was skipped, and returns from which byte on: 0 where the file can only be had as a
    /// whole. Nothing needs to be begun that is read from its first byte.
    func beginReading() async throws(EffectFailure) -> Int64
    /// How many bytes from here on are in a hole, and read as zeros; they are passed over. More of them may follow; 0 if
    /// there are none.
    func passHole() async throws(EffectFailure) -> Int64
    /// The next bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int
    /// The hash of all that is to be read, before any of it is; nil where it would have to be transferred twice for that.
    /// Fails with `changed` as ``finish()`` does.
    func hash() async throws(EffectFailure) -> ContentHash?
    /// Called at the end: fails with `changed` unless the file is still the version that was opened. Returns that
    /// version, looked at again.
    func finish() async throws(EffectFailure) -> Version
    /// Called with the hash of all that was read: fails with `io` if the side tells another one of this version.
    func require(_ hash: ContentHash) throws(EffectFailure)
}

extension ContentSource {
    package var origin: TransferOrigin? { nil }
    package func skip(to start: Int64) {}
    package func beginReading() async throws(EffectFailure) -> Int64 { 0 }
    package func require(_ hash: ContentHash) throws(EffectFailure) {}
    package func hash() async throws(EffectFailure) -> ContentHash? { nil }
}

/// A remote: an endpoint that says what its server can do, as probed when it was registered.
package protocol Remote: Endpoint {
    /// Whether each call ends by itself, with a failure if need be. A call of a file system may never do so.
    var endsCalls: Bool { get }
    /// Effects that are worth carrying out at the same time: as many as the processors can keep busy where nothing is
    /// waited for, more where answers come over a network.
    func parallelism() async -> Int
}
