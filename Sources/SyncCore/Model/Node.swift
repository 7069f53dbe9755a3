/// One row of one tree.
package struct Node: Hashable, Sendable {
    /// The item.
    package var id: NodeID
    /// Its directory in this tree, which has a row in the same tree. `none` for the root.
    package var parent: NodeID
    /// Its name in that directory.
    package var name: EntryName
    /// Its kind.
    package var kind: EntryKind
    /// In the local and the synced tree: the local version, as last seen or as synced.
    package var local: Version?
    /// In the remote and the synced tree: the remote version, as last seen or as synced.
    package var remote: Version?
    /// In the synced tree: the hash of the contents, if it is known.
    package var hash: ContentHash?
    /// In the local and the remote tree: its directory was listed without it, but it is not yet known whether it was
    /// moved or deleted.
    package var isMissing: Bool
    /// In the local and the remote tree: a file system was mounted at it when it was last seen. If it is no longer
    /// mounted, that says nothing about its contents.
    package var isMountRoot: Bool
    /// In the remote tree: what the remote lets the user do with it; nil if it does not tell.
    package var access: ItemAccess?
    /// In the synced tree: the permissions to write that were taken from the local item because the remote does not let
    /// it be changed, and that it gets back when that lets it; nil if none were.
    package var withheld: Permissions?

    /// A row.
    package init(
        id: NodeID, parent: NodeID, name: EntryName, kind: EntryKind,
        local: Version? = nil, remote: Version? = nil, hash: ContentHash? = nil, isMissing: Bool = false,
        isMountRoot: Bool = false, access: ItemAccess? = nil, withheld: Permissions? = nil
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
        self.access = access
        self.withheld = withheld
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

    /// Whether this is the base of a placeholder of which no contents were ever compared: it stands for whatever the remote
    /// has under the tag.
    var standsForTag: Bool { local?.residence == .remoteAlone && hash == nil }

    /// Whether both rows are at the same place.
    package func isSamePlace(as other: Node) -> Bool {
        parent == other.parent && name == other.name
    }
}
