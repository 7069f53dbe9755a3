import Support
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct SQLiteStoreTests {
    @Test func randomOperationsGiveWhatThePlainModelGives() throws {
        var random = SeededRandom(for: "SQLiteStoreTests")
        let seed = random.seed
        for _ in 0..<20 {
            var store = try SQLiteStore(inMemory: ())
            var model = TreeStoreModel()
            var committed = model.copy()
            var sights: [Sight] = []
            for step in 0..<300 {
                if Int.random(in: 0..<40, using: &random) == 0 {
                    try store.commit()
                    committed = model.copy()
                } else if Int.random(in: 0..<80, using: &random) == 0 {
                    // A crash, and an old backup, hold what was committed last.
                    try store.rollBack()
                    if Bool.random(using: &random) { store = try store.backup() }
                    model = committed.copy()
                } else if Int.random(in: 0..<80, using: &random) == 0 {
                    store.rest()
                } else if Bool.random(using: &random) {
                    try change(store, model, &random)
                } else {
                    // What is read and written with the connection at hand is one transaction.
                    try store.withConnection {
                        try expectEqual(store, model, &sights, &random, "seed \(seed) step \(step)")
                        try change(store, model, &random)
                    }
                }
                try expectEqual(store, model, &sights, &random, "seed \(seed) step \(step)")
            }
        }
    }

    /// What was seen in a directory.
    private struct Sight {
        let parent: NodeID
        let side: Side
        let entries: [ListedEntry]
    }

    @Test("what matched the rows of a directory matches no longer once the rows, or what is synced of them, are others")
    func matchedBefore() throws {
        let store = try SQLiteStore(inMemory: ())
        let name = try #require(EntryName("a"))
        let entry = ListedEntry(name: name, kind: .file, version: Version(identity: Token([1]), tag: .none, size: 1))
        var row = Node(id: NodeID(2), parent: .root, name: name, kind: .file)
        row.remote = entry.version
        func matches() throws -> Bool {
            try store.directories(of: .root, on: .remote, after: nil, through: nil, ifUnchanged: [entry]) != nil
        }
        func expectEnd(_ end: () throws -> Void) throws {
            try store.put(row, in: .remote)
            try store.commit()
            for _ in 0..<2 { #expect(try matches()) }
            try end()
            #expect(try !matches())
        }
        try expectEnd { try store.setStatus(NodeStatus(state: .excluded, isDirty: false), for: row.id) }
        try store.setStatus(nil, for: row.id)
        try expectEnd { try store.forgetIdentities(on: .remote) }
        try expectEnd { try store.removeAll(in: .remote) }
        try expectEnd { try store.removeEverything() }
    }

    @Test func idsAreNeverHandedOutTwiceEvenAfterReopening() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("trees.db")
        var seen: Set<NodeID> = []
        for _ in 0..<3 {
            let store = try SQLiteStore(path: path)
            for _ in 0..<10 { #expect(seen.insert(try store.makeNodeID()).inserted) }
            try store.commit()
        }
    }

    @Test func anUncommittedWriteIsGoneAfterReopening() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("trees.db")
        let name = try #require(EntryName("a"))
        func open() throws -> SQLiteStore { try SQLiteStore(path: path) }
        do {
            let store = try open()
            try store.put(Node(id: NodeID(2), parent: .root, name: name, kind: .file), in: .local)
            try store.commit()
            try store.put(Node(id: NodeID(3), parent: .root, name: name, kind: .file), in: .local)
        }
        let store = try open()
        #expect(try store.node(NodeID(2), in: .local) != nil)
        #expect(try store.node(NodeID(3), in: .local) == nil)
    }

    @Test("A store finds what another one wrote, whatever the number of the row")
    func foundAgain() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("trees.db")
        let name = try #require(EntryName("a"))
        do {
            let store = try SQLiteStore(path: path)
            try store.put(Node(id: NodeID(900), parent: .root, name: name, kind: .file), in: .synced)
            try store.setStatus(NodeStatus(state: .pending, isDirty: true), for: NodeID(901))
            try store.setCounts(StateCounts(pending: 1), for: NodeID(902))
            try store.commit()
        }
        let store = try SQLiteStore(path: path)
        #expect(try store.node(NodeID(900), in: .synced) != nil)
        #expect(try store.status(NodeID(901)) != nil)
        #expect(try store.counts(NodeID(902)).pending == 1)
    }

    @Test("What is read is no transaction that goes on: the journal can be moved into the database afterwards")
    func readingEnds() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("trees.db")
        let name = try #require(EntryName("a"))
        let store = try SQLiteStore(path: path)
        try store.put(Node(id: NodeID(2), parent: .root, name: name, kind: .file), in: .local)
        try store.commit()
        let rows = try store.withConnection { try store.nodes(named: name, of: .root, in: .local) }
        #expect(rows.count == 1)
        let journal = directory.path.appending("trees.db-wal")
        #expect(try SmallFile.read(journal, limit: 1 << 20)?.isEmpty == false)
        store.rest()
        #expect(try SmallFile.read(journal, limit: 1 << 20)?.isEmpty == true)
    }

    @Test("After SQLite has rolled a transaction back by itself, nothing of what follows is committed alone")
    func rolledBackByItself() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("trees.db")
        let name = try #require(EntryName("a"))
        do {
            let store = try SQLiteStore(path: path)
            try store.put(Node(id: NodeID(2), parent: .root, name: name, kind: .file), in: .local)
            try store.commit()
            try store.setValue([1], for: .localRoot)
            try store.execute("ROLLBACK")
            #expect(throws: (any Error).self) { try store.setValue([1], for: .remoteRoot) }
            try store.put(Node(id: NodeID(3), parent: .root, name: name, kind: .file), in: .local)
            #expect(throws: (any Error).self) { try store.commit() }
        }
        let store = try SQLiteStore(path: path)
        #expect(try store.value(.remoteRoot) == nil)
        #expect(try store.node(NodeID(2), in: .local) != nil && store.node(NodeID(3), in: .local) == nil)
    }

    @Test func aDamagedDatabaseIsRefused() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("trees.db")
        try SmallFile.replace(path, with: Array(repeating: 7, count: 8_192))
        let failure = #expect(throws: StoreFailure.self) { _ = try SQLiteStore(path: path) }
        #expect(failure?.kind == .damaged && failure?.explanation.code == .storeDamaged)
    }

    private func change(
        _ store: SQLiteStore, _ model: TreeStoreModel, _ random: inout SeededRandom
    ) throws {
        let id = anyID(&random)
        let tree = anyTree(&random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0...5:
            let node = anyNode(id, tree, &random)
            try store.put(node, in: tree)
            model.put(node, in: tree)
        case 6:
            try store.remove(id, from: tree)
            model.remove(id, from: tree)
        case 7:
            let free = try store.makeNodeID()
            guard model.node(free, in: tree) == nil, model.node(id, in: tree) != nil else { return }
            try store.renumber(id, to: free, in: tree)
            model.renumber(id, to: free, in: tree)
        case 8, 9:
            let status = Bool.random(using: &random) ? nil : anyStatus(&random)
            try store.setStatus(status, for: id)
            model.setStatus(status, for: id)
        case 10:
            let counts = StateCounts(
                pending: Int.random(in: 0..<2, using: &random), conflicts: Int.random(in: 0..<2, using: &random),
                bytes: Int64.random(in: 0..<2, using: &random), files: Int.random(in: 0..<2, using: &random),
                filesAway: Int.random(in: 0..<2, using: &random), bytesAway: Int64.random(in: 0..<2, using: &random))
            try store.setCounts(counts, for: id)
            model.setCounts(counts, for: id)
        case 11:
            let versions = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                EarlierVersion(
                    size: Int64.random(in: 0...9, using: &random),
                    modified: [.min, -1, .max].randomElement(using: &random) ?? 0)
            }
            try store.setEarlierVersions(versions, of: id)
            model.setEarlierVersions(versions, of: id)
        case 12:
            let wish = Wish.allCases.randomElement(using: &random) ?? .none
            try store.setWish(wish, for: id)
            model.setWish(wish, for: id)
        default:
            let value: [UInt8]? = Bool.random(using: &random) ? nil : [1, 2, UInt8.random(in: 0...9, using: &random)]
            try store.setValue(value, for: .localRoot)
            model.setValue(value, for: .localRoot)
        }
    }

    private func expectEqual(
        _ store: SQLiteStore, _ model: TreeStoreModel, _ sights: inout [Sight], _ random: inout SeededRandom,
        _ comment: Comment
    ) throws {
        let id = anyID(&random)
        let tree = anyTree(&random)
        let name = anyName(&random)
        let side: Side = Bool.random(using: &random) ? .local : .remote
        let identity = anyToken(&random)
        let limit = Int.random(in: 1..<4, using: &random)
        try #require(try store.node(id, in: tree) == model.node(id, in: tree), comment)
        try #require(
            try store.nodes(named: name, of: id, in: tree) == model.nodes(named: name, of: id, in: tree), comment)
        let after = model.node(anyID(&random), in: tree)
        try #require(
            try store.children(of: id, in: tree, after: after, limit: limit)
                == model.children(of: id, in: tree, after: after, limit: limit), comment)
        try #require(
            try store.nodes(withIdentity: identity, on: side) == model.nodes(withIdentity: identity, on: side),
            comment)
        try expectEqualNews(store, model, in: id, on: side, &sights, &random, comment)
        try #require(try store.count(in: tree) == model.count(in: tree), comment)
        try #require(
            try store.missing(on: side, after: id, limit: limit) == model.missing(on: side, after: id, limit: limit),
            comment)
        try #require(try store.missingCount(on: side) == model.missing(on: side, after: .none, limit: 999).count)
        try #require(try store.status(id) == model.status(id), comment)
        try #require(try store.dirty(after: id, limit: limit) == model.dirty(after: id, limit: limit), comment)
        try #require(
            try store.nodes(inState: .error, after: id, limit: limit)
                == model.nodes(inState: .error, after: id, limit: limit), comment)
        try #require(try store.counts(id) == model.counts(id), comment)
        try #require(try store.earlierVersions(id) == model.earlierVersions(id), comment)
        try #require(try store.value(.localRoot) == model.value(.localRoot), comment)
        try #require(try store.wishes() == model.wishes, comment)
        let last = Bool.random(using: &random) ? nil : name
        try #require(
            try store.shownItems(of: id, after: last, limit: limit)
                == model.shownItems(of: id, after: last, limit: limit), comment)
        try #require(try store.shownItem(named: name, of: id) == model.shownItem(named: name, of: id), comment)
    }

    /// What is no news to the one is none to the other: what stands there, or all but what stands there.
    private func expectEqualNews(
        _ store: SQLiteStore, _ model: TreeStoreModel, in parent: NodeID, on side: Side, _ sights: inout [Sight],
        _ random: inout SeededRandom, _ comment: Comment
    ) throws {
        // What matched once may not match any more, and the other way round.
        if let sight = sights.randomElement(using: &random) {
            let found = model.directories(
                of: sight.parent, on: sight.side, after: nil, through: nil, ifUnchanged: sight.entries)
            try #require(
                try store.directories(
                    of: sight.parent, on: sight.side, after: nil, through: nil, ifUnchanged: sight.entries) == found,
                comment)
        }
        let (first, last) = (anyName(&random), anyName(&random))
        let after = Bool.random(using: &random) ? first : nil
        let through = Bool.random(using: &random) ? last : nil
        var entries = model.children(of: parent, in: side.tree, after: nil, limit: .max).filter { row in
            after.map { $0 < row.name } ?? true && through.map { row.name <= $0 } ?? true
        }.map { ListedEntry(name: $0.name, kind: $0.kind, version: $0[side] ?? .unknown) }
        for index in entries.indices where Int.random(in: 0..<4, using: &random) > 0 {
            entries[index].version.hash = nil
            if Bool.random(using: &random) { entries[index].version.permissions = nil }
        }
        if let index = entries.indices.randomElement(using: &random) { change(&entries[index], &random) }
        if after == nil && through == nil {
            sights.append(Sight(parent: parent, side: side, entries: entries))
            if sights.count > 8 { sights.removeFirst() }
        }
        try #require(
            try store.directories(of: parent, on: side, after: after, through: through, ifUnchanged: entries)
                == model.directories(of: parent, on: side, after: after, through: through, ifUnchanged: entries),
            comment)
    }

    private func change(_ entry: inout ListedEntry, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<18, using: &random) {
        case 0: entry.name = anyName(&random)
        case 1: entry.kind = EntryKind(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .file
        case 2: entry.version.identity = anyToken(&random)
        case 3: entry.version.tag = anyToken(&random)
        case 4: entry.version.size &+= 1
        case 5: entry.version.modified &+= 1
        case 6: entry.version.isRacy.toggle()
        case 7: entry.version.permissions = Permissions(random.next())
        case 8: entry.isMountRoot = true
        case 9: entry.version.residence = entry.version.residence == .here ? .remoteAlone : .here
        default: break
        }
    }

    private func anyID(_ random: inout SeededRandom) -> NodeID { NodeID(Int64.random(in: 1...12, using: &random)) }
    private func anyTree(_ random: inout SeededRandom) -> Tree {
        Tree.allCases.randomElement(using: &random) ?? .local
    }

    private func anyName(_ random: inout SeededRandom) -> EntryName {
        let bytes: [[UInt8]] = [[0x61], [0xFF, 0x0A], [0x61, 0x62], [0xC3, 0xA4]]
        return bytes.randomElement(using: &random).flatMap { EntryName($0) } ?? .root
    }

    private func anyToken(_ random: inout SeededRandom) -> Token {
        Token(Array(repeating: 5, count: [0, 1, 16, 200].randomElement(using: &random) ?? 0))
    }

    private func anyVersion(_ random: inout SeededRandom) -> Version? {
        if Int.random(in: 0..<4, using: &random) == 0 { return nil }
        let hash = Bool.random(using: &random) ? nil : ContentHash(Array(repeating: 9, count: 32))
        return Version(
            identity: anyToken(&random), tag: anyToken(&random), size: Int64.random(in: -1...Int64.max, using: &random),
            modified: Int64.random(in: Int64.min...Int64.max, using: &random), isRacy: Bool.random(using: &random),
            hash: hash, permissions: Bool.random(using: &random) ? nil : Permissions(random.next()),
            residence: Residence.allCases.randomElement(using: &random) ?? .here)
    }

    private func anyNode(_ id: NodeID, _ tree: Tree, _ random: inout SeededRandom) -> Node {
        var node = Node(
            id: id, parent: anyID(&random), name: anyName(&random),
            kind: EntryKind(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .file)
        switch tree {
        case .local: node.local = anyVersion(&random)
        case .remote: node.remote = anyVersion(&random)
        case .synced:
            node.local = anyVersion(&random)
            node.remote = anyVersion(&random)
            node.hash = Bool.random(using: &random) ? nil : ContentHash(Array(repeating: 3, count: 32))
        }
        if tree != .synced { node.isMissing = Bool.random(using: &random) }
        if let side = [Side.local, .remote].first(where: { $0.tree == tree }), Bool.random(using: &random),
            let version = node[side]
        {
            // As it is kept of a directory.
            node.kind = .directory
            node[side] = Version(
                identity: version.identity, tag: .none, size: 0, permissions: version.permissions)
        }
        return node
    }

    private func anyStatus(_ random: inout SeededRandom) -> NodeStatus {
        NodeStatus(
            state: ItemSyncState.allCases.randomElement(using: &random) ?? .error, isDirty: Bool.random(using: &random),
            message: Explanation(Bool.random(using: &random) ? .text : .gone, nil, "“a”\t\\ ist weg"), bytes: 5,
            counterpart: Bool.random(using: &random) ? nil : anyID(&random),
            isLocalVersion: Bool.random(using: &random), detected: Int64.random(in: 0...2_000_000_000, using: &random),
            choice: [nil, .mine, .theirs].randomElement(using: &random) ?? nil)
    }
}
