import SyncCore
import Testing

/// Which entries are passed over, as nothing is to be done about them.
@Suite("What is no news")
struct NewsTests {
    private static let seen = ListedEntry(
        name: EntryName("a") ?? .root, kind: .file,
        version: Version(
            identity: Token([1]), tag: Token([2]), size: 3, modified: 4, permissions: Permissions(0o640)))

    private static let row = row(seen)

    private static func row(_ entry: ListedEntry) -> Node {
        Node(id: NodeID(7), parent: .root, name: entry.name, kind: entry.kind, local: entry.version)
    }

    private static func changed<Value>(_ value: Value, _ body: (inout Value) -> Void) -> Value {
        var value = value
        body(&value)
        return value
    }

    @Test("an entry as it was seen before is none, also where no permissions are told, or a hash was known")
    func same() {
        #expect(Self.row.isUnchanged(as: Self.seen, on: .local))
        #expect(Self.row.isUnchanged(as: Self.changed(Self.seen) { $0.version.permissions = nil }, on: .local))
        let hashed = Self.changed(Self.row) { $0.local?.hash = ContentHash(Array(repeating: 5, count: 32)) }
        #expect(hashed.isUnchanged(as: Self.seen, on: .local))
    }

    @Test("whatever differs, or is not certain, is news")
    func different() {
        let changes: [(inout ListedEntry) -> Void] = [
            { $0.name = EntryName("b") ?? .root }, { $0.kind = .symlink }, { $0.isMountRoot = true },
            { $0.version.identity = Token([9]) }, { $0.version.identity = .none }, { $0.version.tag = Token([9]) },
            { $0.version.size = 9 }, { $0.version.modified = 9 }, { $0.version.isRacy = true },
            { $0.version.permissions = Permissions(0o600) },
        ]
        for (index, change) in changes.enumerated() {
            let entry = Self.changed(Self.seen, change)
            #expect(!Self.row.isUnchanged(as: entry, on: .local), "change \(index)")
        }
        let rows: [(inout Node) -> Void] = [
            { $0.isMissing = true }, { $0.isMountRoot = true }, { $0.local?.isRacy = true }, { $0.local = nil },
            { $0.local?.permissions = nil },
        ]
        for (index, change) in rows.enumerated() {
            #expect(!Self.changed(Self.row, change).isUnchanged(as: Self.seen, on: .local), "row \(index)")
        }
    }

    @Test("of a directory, which one it is and its permissions count alone")
    func directory() {
        let seen = Self.changed(Self.seen) { $0.kind = .directory }
        let row = Self.changed(Self.row) {
            $0.kind = .directory
            $0.local = Version(
                identity: Token([1]), tag: .none, size: 0, permissions: Permissions(0o640))
        }
        #expect(row.isUnchanged(as: seen, on: .local))
        #expect(!row.isUnchanged(as: Self.changed(seen) { $0.version.identity = Token([9]) }, on: .local))
    }
}
