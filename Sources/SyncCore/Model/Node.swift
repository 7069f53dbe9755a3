/// One row of one tree.
package struct Node: Hashable, Sendable {
    /// The item.
    package var id: NodeID
    /// The directory that holds it in this tree; it has a row in the same tree. `none` for the root.
    package var parent: NodeID
    /// Its name there.
    package var name: EntryName
    /// What it is.
    package var kind: EntryKind
    /// In the local and the synced tree: the local version, as last seen or as synced.
    package var local: Version?
    /// In the remote and the synced tree: the remote version, as last seen or as synced.
    package var remote: Version?
    /// In the synced tree: the hash of the contents, where known.
    package var hash: ContentHash?
    /// In the local and the remote tree: its directory was listed without it, but it is not yet known whether it was
    /// moved or deleted.
    package var isMissing: Bool
    /// In the local and the remote tree: when last seen there, a file system was mounted at it. One that is not mounted
    /// any more says nothing about what was in it.
    package var isMountRoot: Bool

    /// A row.
    package init(
        id: NodeID, parent: NodeID, name: EntryName, kind: EntryKind,
        local: Version? = nil, remote: Version? = nil, hash: ContentHash? = nil, isMissing: Bool = false,
        isMountRoot: Bool = false
    ) {
        self.id = id
        self.parent = parent
        self.name = name
        self.kind = kind
        self.local = local
        self.remote = remote
        self.hash = hash
        self.isMissing = isMissing
        self.isMountRoot = isMountRoot
    }

    /// The version of one side.
    package subscript(side: Side) -> Version? {
        get { side == .local ? local : remote }
        set {
            switch side {
            case .local: local = newValue
            case .remote: remote = newValue
            }
        }
    }

    /// Whether both rows hang at the same place.
    package func isSamePlace(as other: Node) -> Bool {
        parent == other.parent && name == other.name
    }
}
