/// The three trees of one folder, with everything known about the items that are not simply synced.
///
/// Everything is synchronous and belongs to one thread. Later reads see writes at once; writes become durable together
/// at `commit`, and a crash loses those after the last commit. An error of the store ends the session that gets it: the
/// store is rolled back, and a new session begins with a scan.
///
/// No member returns a whole tree: listings are paged, in the order that each member documents.
package protocol TreeStore: AnyObject {
    /// An id that no row has or had.
    func makeNodeID() throws -> NodeID

    /// The row of an item in a tree.
    func node(_ id: NodeID, in tree: Tree) throws -> Node?
    /// The rows with this parent and name, ordered by id. There is more than one only while a listing is being merged,
    /// beside a missing row, or in the synced tree.
    func nodes(named name: EntryName, of parent: NodeID, in tree: Tree) throws -> [Node]
    /// At most `limit` rows with this parent, ordered by (bytes of the name, id), after the given row.
    func children(of parent: NodeID, in tree: Tree, after: Node?, limit: Int) throws -> [Node]
    /// The directories among the rows with this parent in a side's tree, ordered by name, if the rows match these
    /// entries (``Node/isUnchanged(as:on:)``). Nil if anything differs: an additional entry, a row without an entry, or
    /// an excluded row; also if the entries are not ordered by name.
    ///
    /// - Parameters:
    ///   - after: Only rows with greater names count; nil for all.
    ///   - through: Only rows with names up to this one count; nil for all.
    func directories(
        of parent: NodeID, on side: Side, after: EntryName?, through: EntryName?, ifUnchanged entries: [ListedEntry]
    ) throws -> [NodeID]?
    /// The rows of a side's tree whose version on that side has this identity, ordered by id; none for an empty token.
    func nodes(withIdentity identity: Token, on side: Side) throws -> [Node]
    /// Writes a row, replacing the item's row in that tree.
    func put(_ node: Node, in tree: Tree) throws
    /// Removes the row of an item from one tree; its children in that tree must have been removed or moved before.
    func remove(_ id: NodeID, from tree: Tree) throws
    /// In one tree: gives the row `old` the id `new`, which must have no row there, and its children the new parent.
    func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) throws
    /// The number of rows in a tree, including the root.
    func count(in tree: Tree) throws -> Int
    /// Removes every row of a tree.
    func removeAll(in tree: Tree) throws

    /// The number of missing rows in a side's tree.
    func missingCount(on side: Side) throws -> Int
    /// At most `limit` missing rows of a side's tree, ordered by id, after that id.
    func missing(on side: Side, after: NodeID, limit: Int) throws -> [NodeID]
    /// Deletes the identities in a side's tree: its items are then identified by name alone.
    func forgetIdentities(on side: Side) throws
    /// The rows of a side's tree at which a file system was mounted, ordered by id; there are only a few.
    func mountRoots(on side: Side) throws -> [NodeID]

    /// Why an item is not simply synced; nil if it is.
    func status(_ id: NodeID) throws -> NodeStatus?
    /// Sets the status or, with nil, removes it.
    func setStatus(_ status: NodeStatus?, for id: NodeID) throws
    /// At most `limit` items whose status is dirty, ordered by id, after that id.
    func dirty(after: NodeID, limit: Int) throws -> [NodeID]
    /// At most `limit` items in this state, ordered by id, after that id.
    func nodes(inState state: ItemSyncState, after: NodeID, limit: Int) throws -> [NodeID]

    /// Counts what is not simply synced below a directory, at any depth, not including itself; zero if nothing is
    /// stored.
    func counts(_ directory: NodeID) throws -> StateCounts
    /// Stores the counts, or deletes them if they are zero.
    func setCounts(_ counts: StateCounts, for directory: NodeID) throws

    /// The versions of a file that the remote held before the synced one, the newest last; empty if none are stored.
    func earlierVersions(_ id: NodeID) throws -> [EarlierVersion]
    /// Stores them, or deletes them if there are none.
    func setEarlierVersions(_ versions: [EarlierVersion], of id: NodeID) throws

    /// The items of which the user said where their contents should be.
    func wishes() throws -> [NodeID: Wish]
    /// Stores the wish for an item, or deletes it if there is none.
    func setWish(_ wish: Wish, for id: NodeID) throws

    /// The tag with which a remote directory's contents are known, at any depth; nil if there is none.
    func listedTag(_ directory: NodeID) throws -> Token?
    /// Stores the tag or, with nil, deletes it.
    func setListedTag(_ tag: Token?, of directory: NodeID) throws
    /// Whether any directory has such a tag.
    func hasListedTags() throws -> Bool
    /// Deletes the tags of all directories.
    func removeListedTags() throws

    /// A value stored for the session, such as a root identity.
    func value(_ key: StoreKey) throws -> [UInt8]?
    /// Stores a value or, with nil, deletes it.
    func setValue(_ value: [UInt8]?, for key: StoreKey) throws

    /// Makes everything written so far durable, all or nothing.
    func commit() throws
}

/// The values that a session keeps in the store besides the trees.
package enum StoreKey: String, Hashable, Sendable, CaseIterable {
    /// The identity of the local root.
    case localRoot = "local-root"
    /// The identity of the remote root.
    case remoteRoot = "remote-root"
    /// The remote's generation, which changes when it was restored from a backup.
    case remoteGeneration = "remote-generation"
    /// Recent deletions on the local side.
    case localDeletions = "local-deletions"
    /// Recent deletions on the remote.
    case remoteDeletions = "remote-deletions"
    /// Recent returns to older versions on the remote.
    case remoteReturns = "remote-returns"
    /// Set while the user is asked what to do about a restored remote.
    case remoteRestored = "remote-restored"
    /// The sides for which it was reported that they keep no permissions.
    case sidesWithoutPermissions = "sides-without-permissions"
    /// Not empty once permissions to write were ever taken from an item because the remote does not let it be changed.
    case withheld = "withheld"
    /// The exclude patterns when directories of the remote got their tags.
    case listedExcludes = "listed-excludes"
    /// Set once the counts contain files and sizes.
    case sizes
    /// Set while items are only uploaded, so that the tree of the remote holds nothing but what was uploaded.
    case uploadOnly = "upload-only"
    /// Items that are removed once copies of them are at their new places, and these copies.
    case copied
    /// Items that come here with their contents, though nobody asked for these.
    case brought
}
