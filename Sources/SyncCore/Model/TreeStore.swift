/// The three trees of one folder, with what is known about the items that are not plainly synced.
///
/// Everything is synchronous and belongs to one thread. Writes are seen by later reads at once, and become durable
/// together at `commit`; what was written after the last commit is gone after a crash. An error of the store ends the
/// session that met it: the store is rolled back and a new session begins with a scan.
///
/// Nothing here returns a whole tree: listings are paged, and ordered as each member says.
package protocol TreeStore: AnyObject {
    /// An id that no row has or had.
    func makeNodeID() throws -> NodeID

    /// The row of an item in a tree.
    func node(_ id: NodeID, in tree: Tree) throws -> Node?
    /// The rows with this parent and name, ordered by id. More than one stand there only while a listing is being
    /// worked in, beside a missing row, or in the synced tree.
    func nodes(named name: EntryName, of parent: NodeID, in tree: Tree) throws -> [Node]
    /// At most `limit` rows with this parent, ordered by (name's bytes, id), after that of the given row.
    func children(of parent: NodeID, in tree: Tree, after: Node?, limit: Int) throws -> [Node]
    /// The directories among the rows with this parent in a side's tree, ordered by name, if these entries were seen there
    /// and that is no news (``Node/isUnchanged(as:on:)``); nil if anything is: another entry, a row without one, one that
    /// is excluded. Entries that are not ordered by name are news as well.
    ///
    /// - Parameters:
    ///   - after: Rows with greater names alone count; nil for all.
    ///   - through: Rows with names up to this one alone count; nil for all.
    func directories(
        of parent: NodeID, on side: Side, after: EntryName?, through: EntryName?, ifUnchanged entries: [ListedEntry]
    ) throws -> [NodeID]?
    /// The rows of a side's tree whose version on that side has this identity, ordered by id; an empty token is none.
    func nodes(withIdentity identity: Token, on side: Side) throws -> [Node]
    /// Writes a row, in place of the one that the item has in that tree.
    func put(_ node: Node, in tree: Tree) throws
    /// Removes the row of an item from one tree; its children in that tree have been removed or moved before.
    func remove(_ id: NodeID, from tree: Tree) throws
    /// In one tree: gives the row `old` the id `new`, which has no row there, and its children the new parent.
    func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) throws
    /// Rows in a tree, the root's included.
    func count(in tree: Tree) throws -> Int
    /// Removes every row of a tree.
    func removeAll(in tree: Tree) throws

    /// Rows of a side's tree that are missing.
    func missingCount(on side: Side) throws -> Int
    /// At most `limit` missing rows of a side's tree, ordered by id, after that id.
    func missing(on side: Side, after: NodeID, limit: Int) throws -> [NodeID]
    /// Forgets the identities in a side's tree: its items are known by their names alone.
    func forgetIdentities(on side: Side) throws
    /// The rows of a side's tree at which a file system was mounted, ordered by id: a few at most.
    func mountRoots(on side: Side) throws -> [NodeID]

    /// Why an item is not plainly synced; nil if it is.
    func status(_ id: NodeID) throws -> NodeStatus?
    /// Sets or, with nil, removes it.
    func setStatus(_ status: NodeStatus?, for id: NodeID) throws
    /// At most `limit` items whose status is dirty, ordered by id, after that id.
    func dirty(after: NodeID, limit: Int) throws -> [NodeID]
    /// At most `limit` items in this state, ordered by id, after that id.
    func nodes(inState state: ItemSyncState, after: NodeID, limit: Int) throws -> [NodeID]

    /// What is not plainly synced below a directory, at any depth, itself not counted; zero if nothing is stored.
    func counts(_ directory: NodeID) throws -> StateCounts
    /// Stores the counts, or forgets them if they are zero.
    func setCounts(_ counts: StateCounts, for directory: NodeID) throws

    /// What the remote held of a file before the synced version, the newest last; empty if nothing is stored.
    func earlierVersions(_ id: NodeID) throws -> [EarlierVersion]
    /// Stores that, or forgets it if there is none.
    func setEarlierVersions(_ versions: [EarlierVersion], of id: NodeID) throws

    /// The tag with which a directory of the remote was found to hold what is known of it, at any depth; nil if there is none.
    func listedTag(_ directory: NodeID) throws -> Token?
    /// Stores or, with nil, forgets it.
    func setListedTag(_ tag: Token?, of directory: NodeID) throws
    /// Whether any directory has such a tag.
    func hasListedTags() throws -> Bool
    /// Forgets the tags of all directories.
    func removeListedTags() throws

    /// A value kept for the session: root identities and the like.
    func value(_ key: StoreKey) throws -> [UInt8]?
    /// Keeps or, with nil, forgets a value.
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
    /// What has gone from the local side lately.
    case localDeletions = "local-deletions"
    /// What has gone from the remote lately.
    case remoteDeletions = "remote-deletions"
    /// What has returned to older versions at the remote lately.
    case remoteReturns = "remote-returns"
    /// Set while it is asked what is to become of a restored remote.
    case remoteRestored = "remote-restored"
    /// The sides of which it was said that they keep no permissions.
    case sidesWithoutPermissions = "sides-without-permissions"
    /// Which names were not synced when directories of the remote got their tags.
    case listedExcludes = "listed-excludes"
    /// Set once the counts hold the bytes of all that is below.
    case sizes
}
