import SimulatedWorld
import SyncCore
import Testing

/// A remote that tells the hashes of some files: here of those with even contents.
@Suite("What a remote tells of contents is not read to be compared") struct DigestTests {
    private func isRead(_ effect: Effect) -> Bool {
        switch effect {
        case .hashFile(.remote, _, _), .stage(_, .remote, _, _): true
        default: false
        }
    }

    @Test("two sides that hold the same are one without a base, and only what is not told is read")
    func united() throws {
        var folder = SimulatedFolder(tellsDigests: true)
        for side in Side.allCases {
            folder.write(side, "a", 2)
            folder.write(side, "b", 4)
            folder.write(side, "c", 5)
        }
        try folder.sync()
        #expect(folder.mutations == 0 && folder.count(isRead) == 1)
        #expect(try folder.state("a") == .synced)
    }

    @Test("what differs is a conflict all the same")
    func differing() throws {
        var folder = SimulatedFolder(tellsDigests: true)
        folder.write(.local, "a", 2)
        folder.write(.remote, "a", 12)
        try folder.sync()
        #expect(folder.contents(.local).count == 2 && folder.contents(.local)["a"] == 12)
    }

    @Test("a file that was written again with what it held is not brought")
    func writtenAgain() throws {
        var folder = SimulatedFolder(tellsDigests: true)
        folder.write(.local, "a", 2)
        try folder.sync()
        try folder.pass(seconds: 10)
        try folder.sync()
        folder.forgetEffects()
        folder.write(.remote, "a", 2)
        try folder.notice(.remote, ["a"])
        try folder.pass(seconds: 10)
        #expect(folder.count(isRead) == 0 && folder.mutations == 0)
        #expect(try folder.state("a") == .synced)
    }

    @Test("where nothing changed nothing is compared one by one")
    func unchanged() throws {
        let hash = ContentHash([UInt8](repeating: 5, count: 32))
        let version = Version(identity: Token([1]), tag: Token([2]), size: 3, modified: 4, hash: hash)
        var node = Node(id: NodeID(7), parent: .root, name: try #require(EntryName("a")), kind: .file)
        node[.remote] = version
        #expect(node.isUnchanged(as: ListedEntry(name: node.name, kind: .file, version: version), on: .remote))
        var other = version
        other.hash = ContentHash([UInt8](repeating: 6, count: 32))
        #expect(!node.isUnchanged(as: ListedEntry(name: node.name, kind: .file, version: other), on: .remote))
        other.hash = nil
        #expect(node.isUnchanged(as: ListedEntry(name: node.name, kind: .file, version: other), on: .remote))
    }
}
