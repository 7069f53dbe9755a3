/// One row of one tree.
public struct Node: Hashable, Sendable {
    /// The item.
    public var id: NodeID
    /// The directory that holds it in this tree; it has a row in the same tree. `none` for the root.
    public var parent: NodeID
    /// Its name there.
    public var name: EntryName
    /// What it is.
    public var kind: EntryKind
    /// In the local and the synced tree: the local version, as last seen or as synced.
    public var local: Version?
    /// In the remote and the synced tree: the remote version, as last seen or as synced.
    public var remote: Version?
    /// In the synced tree: the hash of the contents, where known.
    public var hash: ContentHash?
    /// In the local and the remote tree: its directory was listed without it, but it is not yet known whether it was
    /// moved or deleted.
    public var isMissing: Bool
    /// In the local and the remote tree: when last seen there, a file system was mounted at it. One that is not mounted
    /// any more says nothing about what was in it.
    public var isMountRoot: Bool

    /// A row.
    public init(
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
    public subscript(side: Side) -> Version? {
        get { side == .local ? local : remote }
        set {
            switch side {
            case .local: local = newValue
            case .remote: remote = newValue
            }
        }
    }

    /// Whether both rows hang at the same place.
    public func isSamePlace(as other: Node) -> Bool {
        parent == other.parent && name == other.name
    }
}
