import SimulatedWorld
import SyncCore
import Testing

@Suite("Conflicts")
struct ConflictTests {
    private static let copy = "a (conflict 2023-11-14 221320 TEST).txt"

    private func conflict() throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        folder.write(.local, "a.txt", 1)
        try folder.sync()
        try folder.sync()
        folder.write(.local, "a.txt", 2)
        folder.write(.remote, "a.txt", 3)
        try folder.sync()
        try folder.sync()
        return folder
    }

    @Test("D7: the remote keeps the name, the local version stands beside and is synced, both show it")
    func found() throws {
        let folder = try conflict()
        #expect(folder.contents(.local) == ["a.txt": 3, Self.copy: 2])
        #expect(folder.contents(.remote) == folder.contents(.local))
        #expect(try folder.state("a.txt") == .conflict && folder.state(Self.copy) == .conflict)
    }

    @Test("it is counted, and shown after a restart")
    func restarted() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a.txt", 2)
        folder.write(.remote, "a.txt", 3)
        try folder.sync()
        #expect(folder.summary.conflicts == 1)
        try folder.restart()
        #expect(try folder.state("a.txt") == .conflict && folder.state(Self.copy) == .conflict)
    }

    @Test(
        "resolved for mine: it takes the name, the other version is kept; either path names it",
        arguments: ["a.txt", copy])
    func mine(path: String) throws {
        var folder = try conflict()
        let node = try #require(try folder.node(path))
        try folder.command(.resolve(node, .mine))
        #expect(folder.contents(.local) == ["a.txt": 2] && folder.contents(.remote) == ["a.txt": 2])
        #expect(folder.kept.contains(3))
        #expect(try folder.state("a.txt") == .synced)
    }

    @Test("resolved for theirs: the copy goes to the trash; either path names it", arguments: ["a.txt", copy])
    func theirs(path: String) throws {
        var folder = try conflict()
        let node = try #require(try folder.node(path))
        try folder.command(.resolve(node, .theirs))
        #expect(folder.contents(.local) == ["a.txt": 3] && folder.contents(.remote) == ["a.txt": 3])
        #expect(folder.kept.contains(2))
        #expect(try folder.state("a.txt") == .synced)
    }

    @Test("resolved for both: both stay and are plainly synced")
    func both() throws {
        var folder = try conflict()
        let node = try #require(try folder.node("a.txt"))
        try folder.command(.resolve(node, .both))
        #expect(folder.contents(.remote) == ["a.txt": 3, Self.copy: 2])
        #expect(try folder.state("a.txt") == .synced && folder.state(Self.copy) == .synced)
    }

    @Test("deleting one of the two resolves it")
    func deleted() throws {
        var folder = try conflict()
        folder.delete(.local, Self.copy)
        try folder.sync()
        #expect(folder.contents(.remote) == ["a.txt": 3])
        #expect(try folder.state("a.txt") == .synced)
    }

    @Test("a name that is taken on both sides by different items: the local one gives way")
    func names() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a.txt/inside", 1)
        folder.write(.remote, "a.txt", 2)
        try folder.sync()
        #expect(folder.contents(.local) == ["a.txt": 2, Self.copy: 0, "\(Self.copy)/inside": 1])
        #expect(folder.contents(.remote) == folder.contents(.local))
    }
}
