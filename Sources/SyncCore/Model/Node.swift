/// One row of one tree.
///
/// Rows are read far more often than they are changed, and hold many arrays. So copies share their fields, and copying a
/// row costs one reference count; changing one copies the fields first if they are shared.
package struct Node: Sendable {
    private struct Fields: Hashable, Sendable {
        var id: NodeID
        var parent: NodeID
        var name: EntryName
        var kind: EntryKind
        var local: Version?
        var remote: Version?
        var hash: ContentHash?
        var isMissing: Bool
        var isMountRoot: Bool
        var access: ItemAccess?
        var withheld: Permissions?
    }

    /// Unchecked because the compiler cannot see that its fields never change while two rows share it.
    private final class Shared: @unchecked Sendable {
        var fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    private var shared: Shared

    private mutating func change(_ body: (inout Fields) -> Void) {
        if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.fields) }
        body(&shared.fields)
    }

    /// The item.
    package var id: NodeID {
        get { shared.fields.id }
        set { change { $0.id = newValue } }
    }
    /// Its directory in this tree, which has a row in the same tree. `none` for the root.
    package var parent: NodeID {
        get { shared.fields.parent }
        set { change { $0.parent = newValue } }
    }
    /// Its name in that directory.
    package var name: EntryName {
        get { shared.fields.name }
        set { change { $0.name = newValue } }
    }
    /// Its kind.
    package var kind: EntryKind {
        get { shared.fields.kind }
        set { change { $0.kind = newValue } }
    }
    /// In the local and the synced tree: the local version, as last seen or as synced.
    package var local: Version? {
        get { shared.fields.local }
        set { change { $0.local = newValue } }
    }
    /// In the remote and the synced tree: the remote version, as last seen or as synced.
    package var remote: Version? {
        get { shared.fields.remote }
        set { change { $0.remote = newValue } }
    }
    /// In the synced tree: the hash of the contents, if it is known.
    package var hash: ContentHash? {
        get { shared.fields.hash }
        set { change { $0.hash = newValue } }
    }
    /// In the local and the remote tree: its directory was listed without it, but it is not yet known whether it was
    /// moved or deleted.
    package var isMissing: Bool {
        get { shared.fields.isMissing }
        set { change { $0.isMissing = newValue } }
    }
    /// In the local and the remote tree: a file system was mounted at it when it was last seen. If it is no longer
    /// mounted, that says nothing about its contents.
    package var isMountRoot: Bool {
        get { shared.fields.isMountRoot }
        set { change { $0.isMountRoot = newValue } }
    }
    /// In the remote tree: what the remote lets the user do with it; nil if it does not tell.
    package var access: ItemAccess? {
        get { shared.fields.access }
        set { change { $0.access = newValue } }
    }
    /// In the synced tree: the permissions to write that were taken from the local item because the remote does not let
    /// it be changed, and that it gets back when that lets it; nil if none were.
    package var withheld: Permissions? {
        get { shared.fields.withheld }
        set { change { $0.withheld = newValue } }
    }

    /// A row.
    package init(
        id: NodeID, parent: NodeID, name: EntryName, kind: EntryKind,
        local: Version? = nil, remote: Version? = nil, hash: ContentHash? = nil, isMissing: Bool = false,
        isMountRoot: Bool = false, access: ItemAccess? = nil, withheld: Permissions? = nil
    ) {
        shared = Shared(
            Fields(
                id: id, parent: parent, name: name, kind: kind, local: local, remote: remote, hash: hash,
                isMissing: isMissing, isMountRoot: isMountRoot, access: access, withheld: withheld))
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

extension Node: Hashable {
    package static func == (left: Node, right: Node) -> Bool {
        left.shared === right.shared || left.shared.fields == right.shared.fields
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(shared.fields) }
}
