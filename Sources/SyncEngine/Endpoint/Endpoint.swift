package import SyncCore

/// One side of a synced folder, with the operations that effects need: reading, staging, publishing, moving and
/// removing items.
///
/// Several calls may run at the same time. Those of a disk block their thread, which the runner provides for that.
/// Those of a network suspend, have a deadline, and end soon after their task is cancelled. Each call that replaces,
/// moves or removes something checks the expected version as atomically as the side allows. A failure means that
/// nothing visible changed.
package protocol Endpoint: AnyObject, Sendable {
    /// The current state of the root.
    func root() async -> RootState
    /// Marks the root, so that it can be distinguished from another one at the same place, and returns its identity.
    /// Does so only if it is the known root.
    func mark(knownAs known: Token) async throws(EffectFailure) -> Token
    /// Fails with `notMounted` unless a file system is mounted at each of these places.
    func requireMounted(_ paths: [RelativePath]) async throws(EffectFailure)
    /// Releases resources that are only needed while there is something to do.
    func rest()
    /// Some entries of a part of a directory: as many as are worth returning at once.
    func list(_ path: RelativePath, _ part: ListingPart) async throws(EffectFailure) -> ListingPage
    /// One entry of the directory with this identity, or of any if it is empty; nil if nothing is there.
    func entry(_ path: RelativePath, in directory: Token) async throws(EffectFailure) -> ListedEntry?

    /// Opens a file for reading, if it has the expected version and is not open for writing.
    func open(_ path: RelativePath, expecting expected: Version) async throws(EffectFailure) -> any ContentSource
    /// Writes all contents of `source` to a staged file that no listing shows.
    ///
    /// - Parameters:
    ///   - path: Where the file will probably be published; the side may stage it nearby.
    ///   - progress: Called with the bytes written so far; returns false to abandon the transfer.
    func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64)
    /// Makes staged contents durable.
    func syncContents(_ ids: [StageID]) async throws(EffectFailure)
    /// Removes staged files; unknown IDs are ignored.
    func discard(_ ids: [StageID]) async

    /// Moves a staged file to its place. If `expected` is nil, nothing may exist there.
    ///
    /// - Parameter permissions: The upper bound of its permissions; nil to use those of the replaced version, or of any
    ///   new file.
    func publish(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) async throws(EffectFailure) -> Placed
    /// Creates a directory.
    ///
    /// - Parameter permissions: The upper bound of its permissions; nil to use those of any new directory.
    func makeDirectory(_ path: RelativePath, permissions: Permissions?) async throws(EffectFailure) -> Version
    /// Changes the permissions of an item. If the side does not support that, nothing changes, and the result says so.
    func setPermissions(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version, to permissions: Permissions
    ) async throws(EffectFailure) -> Placed
    /// Moves an item to a path where nothing exists.
    func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) -> Version
    /// Removes a file or an empty directory.
    func remove(_ path: RelativePath, kind: EntryKind, expecting expected: Version) async throws(EffectFailure)
    /// Makes the renames, creations and removals in these directories durable, and the permissions and contents of
    /// these items, even of items that are no longer at the given path.
    func syncRenames(_ items: [BarrierItem]) async throws(EffectFailure)
}

/// The local side, where one item can take the name of another in one step.
package protocol LocalEndpoint: Endpoint {
    /// The current state of the root. Called on a thread that may block.
    func root() -> RootState
    /// Gives the name of an item to something else and renames the item to `aside` in the same directory. Returns the
    /// versions of both.
    ///
    /// - Parameter permissions: The upper bound of the permissions of staged contents or a new item; nil to use those
    ///   of the displaced file, or of anything new.
    func displace(
        _ item: LocalItem, aside: EntryName, by newcomer: Newcomer, permissions: Permissions?
    ) async throws(EffectFailure) -> (here: Placed, aside: Version)
    /// Moves an item to the place of another, which is kept: a file replaced by a file among the replaced versions,
    /// anything else in the trash.
    func replace(_ replaced: LocalItem, with item: LocalItem) async throws(EffectFailure) -> Version
    /// Moves an item to the trash, a directory with everything in it.
    func discard(_ item: LocalItem) async throws(EffectFailure)

    /// Lets the owner write to directories that are closed to the owner, and carries `body` out meanwhile. A directory
    /// that cannot be opened stays closed.
    func opening<Answer>(
        _ directories: [RelativePath], _ body: () async throws(EffectFailure) -> Answer
    ) async throws(EffectFailure) -> Answer

    /// Fills a placeholder with staged contents; it stays the same file.
    func fill(
        _ path: RelativePath, with id: StageID, expecting expected: Version
    ) async throws(EffectFailure) -> Version
    /// Leaves a placeholder of a file that no program has open.
    ///
    /// - Parameter source: The version at the remote that has the same contents.
    func free(
        _ path: RelativePath, expecting expected: Version, as source: Version
    ) async throws(EffectFailure) -> Version
    /// Makes a placeholder of a version of the remote, or brings the one that is there up to date.
    ///
    /// - Parameter permissions: The upper bound of the permissions of a new placeholder; nil to use those of any new
    ///   file.
    func describe(
        _ path: RelativePath, as source: Version, replacing expected: Version?, permissions: Permissions?
    ) async throws(EffectFailure) -> Version
}

/// Entries of a directory.
package struct ListingPage: Sendable {
    /// The entries; if there are more, those with the first names.
    package var entries: [ListedEntry]
    /// If there are more entries, the last name that this page covers; nil if this is the last page.
    package var through: EntryName?
    /// Whether the page certainly has no gaps: up to ``through``, or in the rest of the directory if that is nil.
    package var isComplete = true
    /// The tag of the directory with these entries, which changes with any change in it, at any depth; empty if there
    /// is none.
    package var tag = Token.none

    /// Creates a page of some or all entries.
    package init(entries: [ListedEntry], through: EntryName? = nil, isComplete: Bool = true, tag: Token = .none) {
        self.entries = entries
        self.through = through
        self.isComplete = isComplete
        self.tag = tag
    }

    /// The page as the result of an effect.
    var result: EffectResult {
        if isComplete, let through { return .page(entries, through: through) }
        return .listing(entries, isComplete: isComplete, tag: tag)
    }
}

extension Endpoint {
    /// All entries of a directory, which must have this identity unless `identity` is empty.
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
    /// The size of the expected version in bytes.
    var size: Int64 { get }
    /// How many of these bytes are not in holes, as far as known.
    var stored: Int64 { get }
    /// Nanoseconds since 1970.
    var modified: Int64 { get }
    /// The permissions of the file; nil if the side stores none.
    var permissions: Permissions? { get }
    /// Waits until a change made from now on would show in the version: no longer than the clock's grain after the
    /// last change.
    func settle() async
    /// Identifies the file if it has several names; nil if it has one, or if that is not known. Waits like `settle`.
    func linked() async -> LinkedFile?
    /// The file and version; nil if a later run cannot resume its transfer.
    var origin: TransferOrigin? { get }
    /// Allows reading to begin at this byte, because the destination already has all bytes before it. May be called
    /// several times before ``beginReading()``, with a later or an earlier byte, while the destination checks what it
    /// has.
    func skip(to start: Int64)
    /// Called with each part of the bytes that are skipped, from the beginning of the file on.
    func add(skipped bytes: UnsafeRawBufferPointer)
    /// Begins to read after the skipped bytes and returns the first byte that will be read: 0 if the file can only be
    /// read as a whole. Not needed to read from the first byte.
    func beginReading() async throws(EffectFailure) -> Int64
    /// Skips a hole, whose bytes read as zeros, and returns how many bytes were skipped; 0 if there is no hole here.
    /// More of the hole may follow.
    func passHole() async throws(EffectFailure) -> Int64
    /// Reads the next bytes and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int
    /// The hash of the whole file, before it is read; nil if the file would have to be transferred twice for that.
    /// Fails with `changed` like ``finish()``.
    func hash() async throws(EffectFailure) -> ContentHash?
    /// Called at the end: fails with `changed` unless the file is still the version that was opened. Returns that
    /// version, read again.
    func finish() async throws(EffectFailure) -> Version
    /// Called with the hash of everything that was read; fails with `io` if the side reports another hash for this
    /// version.
    func require(_ hash: ContentHash) throws(EffectFailure)
}

extension ContentSource {
    package var origin: TransferOrigin? { nil }
    package func skip(to start: Int64) {}
    package func add(skipped bytes: UnsafeRawBufferPointer) {}
    package func beginReading() async throws(EffectFailure) -> Int64 { 0 }
    package func require(_ hash: ContentHash) throws(EffectFailure) {}
    package func hash() async throws(EffectFailure) -> ContentHash? { nil }
}

/// A remote: an endpoint on a server or another file system.
package protocol Remote: Endpoint {
    /// Whether each call certainly ends, if necessary with a failure. A call to a file system may hang forever.
    var endsCalls: Bool { get }
    /// How many effects to run at the same time: as many as keep the processors busy if calls do not wait, more if
    /// responses come over a network.
    func parallelism() async -> Int
    /// Removes a directory with everything in it, if it has this tag, which a listing told: it changes with any change in the
    /// directory, at any depth. If it has another tag, everything is where it was.
    func removeTree(_ path: RelativePath, expecting expected: Version, tag: Token) async throws(EffectFailure)
}

extension Remote {
    /// A remote whose directories have no tags removes only empty ones.
    package func removeTree(
        _ path: RelativePath, expecting expected: Version, tag: Token
    ) async throws(EffectFailure) {
        throw EffectFailure(.denied, Explanation(.denied, .remote, "\(path)"))
    }
}
