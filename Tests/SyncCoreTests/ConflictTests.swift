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

    /// A conflict of two directories, or of a file and a directory, with what each side held.
    struct Kinds: CustomTestStringConvertible, Sendable {
        var local: [String: Int]
        var remote: [String: Int]
        var testDescription: String { "\(local.keys.sorted()) against \(remote.keys.sorted())" }
    }

    private static let kinds = [
        Kinds(local: ["a.txt/in": 2, "a.txt/d/deep": 4], remote: ["a.txt": 3]),
        Kinds(local: ["a.txt": 2], remote: ["a.txt/in": 3, "a.txt/d/deep": 5]),
    ]

    private func conflict(_ kinds: Kinds) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        for (path, content) in kinds.local.sorted(by: { $0.key < $1.key }) { folder.write(.local, path, content) }
        for (path, content) in kinds.remote.sorted(by: { $0.key < $1.key }) { folder.write(.remote, path, content) }
        folder.write(.local, "z", 9)
        try folder.sync()
        try folder.sync()
        #expect(folder.contents(.remote) == folder.contents(.local))
        #expect(try folder.state("a.txt") == .conflict && folder.state(Self.copy) == .conflict)
        return folder
    }

    /// Files with their contents, without the directories.
    private func files(_ folder: SimulatedFolder, _ side: Side) -> [String: Int] {
        folder.contents(side).filter { $0.value > 0 && $0.key != "z" }
    }

    @Test("D7: a file against a directory, resolved for mine: all of it takes the name", arguments: kinds)
    func mineOfType(kinds: Kinds) throws {
        var folder = try conflict(kinds)
        let node = try #require(try folder.node("a.txt"))
        try folder.command(.resolve(node, .mine))
        #expect(files(folder, .local) == kinds.local && files(folder, .remote) == kinds.local)
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(Set(kinds.remote.values).isSubset(of: folder.kept))
        #expect(try folder.state("a.txt") == .synced && folder.state("") == .synced)
    }

    @Test("D7: a file against a directory, resolved for theirs: all of mine goes to the trash", arguments: kinds)
    func theirsOfType(kinds: Kinds) throws {
        var folder = try conflict(kinds)
        let node = try #require(try folder.node(Self.copy))
        try folder.command(.resolve(node, .theirs))
        #expect(files(folder, .local) == kinds.remote && files(folder, .remote) == kinds.remote)
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(Set(kinds.local.values).isSubset(of: folder.kept))
        #expect(try folder.state("a.txt") == .synced && folder.state("") == .synced)
    }

    @Test("two directories at one name, resolved for mine or theirs", arguments: [ConflictChoice.mine, .theirs])
    func directories(choice: ConflictChoice) throws {
        var folder = SimulatedFolder()
        for (path, content) in [("d/1", 1), ("e/2", 2), ("z", 9)] { folder.write(.local, path, content) }
        try folder.sync()
        folder.move(.local, "d", "here")
        folder.move(.remote, "e", "here")
        try folder.sync()
        try folder.sync()
        let node = try #require(try folder.node("here"))
        #expect(try folder.state("here") == .conflict)
        try folder.command(.resolve(node, choice))
        let stays = choice == .mine ? ["here/1": 1] : ["here/2": 2]
        #expect(files(folder, .local) == stays && files(folder, .remote) == stays)
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.kept == (choice == .mine ? [2] : [1]))
        #expect(try folder.state("") == .synced)
    }

    @Test("a decision that cannot be carried out is refused in words, and nothing is lost")
    func refused() throws {
        var folder = try conflict(Self.kinds[0])
        folder.move(.local, "a.txt", "\(Self.copy)/theirs")
        try folder.sync()
        let node = try #require(try folder.node(Self.copy))
        try folder.command(.resolve(node, .theirs))
        #expect(try folder.session.presentation(of: node).message.code == .winnerInLoser)
        #expect(try folder.state(Self.copy) == .conflict)
        #expect(files(folder, .local).values.sorted() == [2, 3, 4])
    }

    @Test("a trash that cannot take a directory: the decision is taken back with a sentence")
    func withoutTrash() throws {
        var folder = try conflict(Self.kinds[0])
        folder.answer = { effect in
            if case .discardLocal = effect { return .failed(EffectFailure(.denied, "It cannot be put there.")) }
            return nil
        }
        let node = try #require(try folder.node(Self.copy))
        try folder.command(.resolve(node, .theirs))
        #expect(try folder.session.presentation(of: node).message == "It cannot be put there.")
        folder.answer = { _ in nil }
        try folder.sync()
        #expect(try folder.state(Self.copy) == .conflict)
        #expect(files(folder, .local).values.sorted() == [2, 3, 4])
        try folder.command(.resolve(node, .theirs))
        #expect(files(folder, .local) == ["a.txt": 3])
    }

    @Test("D10: a decision that waits for a transfer is carried out after a restart")
    func decisionSurvives() throws {
        var folder = try conflict()
        folder.write(.remote, "a.txt", 5)
        folder.answer = { effect in
            if case .stage(_, .remote, _, _) = effect { return .failed(EffectFailure(.busy)) }
            return nil
        }
        try folder.sync()
        let node = try #require(try folder.node(Self.copy))
        try folder.command(.resolve(node, .mine))
        #expect(folder.contents(.local) == ["a.txt": 3, Self.copy: 2])
        folder.answer = { _ in nil }
        try folder.restart()
        try folder.sync()
        #expect(folder.contents(.local) == ["a.txt": 2] && folder.contents(.remote) == ["a.txt": 2])
        #expect(Set([3, 5]).isSubset(of: folder.kept))
        #expect(try folder.state("a.txt") == .synced)
    }

    /// Whether the contents are on their way from the remote.
    private static func isDownload(_ effect: Effect) -> Bool {
        if case .stage(_, .remote, _, _) = effect { true } else { false }
    }

    @Test(
        "the name stays with the local version until the other one is here", arguments: [["a.txt": 2], ["a.txt/in": 2]])
    func nameStays(local: [String: Int]) throws {
        var folder = SimulatedFolder()
        for (path, content) in local { folder.write(.local, path, content) }
        folder.write(.remote, "a.txt", 3)
        folder.isHeld = Self.isDownload
        try folder.sync()
        #expect(files(folder, .local) == local && files(folder, .remote) == ["a.txt": 3])
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(.local)["a.txt"] == 3)
        #expect(try folder.state("a.txt") == .conflict)
        #expect(folder.contents(.local) == folder.contents(.remote))
        #expect(folder.count { if case .displace = $0 { true } else { false } } == 1)
    }

    @Test("a remote that goes away before that leaves everything as it was")
    func remoteGoes() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a.txt", 1)
        try folder.sync()
        folder.write(.local, "a.txt", 2)
        folder.write(.remote, "a.txt", 3)
        folder.answer = { Self.isDownload($0) ? .failed(EffectFailure(.unreachable, "It is gone.")) : nil }
        try folder.sync()
        #expect(folder.contents(.local) == ["a.txt": 2])
        #expect(try folder.state("a.txt") == .pending)
        #expect(folder.status?.phase == .offline)
        folder.answer = { _ in nil }
        try folder.sync()
        #expect(folder.contents(.local) == ["a.txt": 3, Self.copy: 2])
    }

    @Test("renamed here, changed on both sides: the new name stays, with the remote's version")
    func renamed() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "b.txt", 1)
        try folder.sync()
        folder.move(.local, "b.txt", "a.txt")
        folder.write(.local, "a.txt", 2)
        folder.write(.remote, "b.txt", 3)
        try folder.sync()
        try folder.sync()
        #expect(folder.contents(.local) == ["a.txt": 3, Self.copy: 2])
        #expect(folder.contents(.remote) == folder.contents(.local))
    }

    @Test("the moment at which a conflict was found is kept")
    func detected() throws {
        var folder = try conflict()
        let node = try #require(try folder.node("a.txt"))
        let found = try #require(try folder.store.trees.status(node)).detected
        #expect(found >= 1_700_000_000)
        try folder.restart()
        try folder.sync()
        #expect(try folder.store.trees.status(node)?.detected == found)
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

    @Test("a conflict that ends while its directory cannot be listed leaves nothing of it undone")
    func endsWhileUnlisted() throws {
        var folder = SimulatedFolder()
        folder.makeDirectory(.local, "a")
        folder.write(.remote, "a", 1)
        try folder.sync()
        let copy = try #require(folder.contents(.remote).keys.first { $0 != "a" })
        folder.move(.remote, copy, "b")
        folder.delete(.local, "a")
        folder.answer = { effect in
            guard case .listDirectory(.remote, let path, _) = effect, path.description == "b" else { return nil }
            return .failed(EffectFailure(.noSpace, "There is no room to read it."))
        }
        try folder.notice(.remote, [copy, "b"])
        try folder.notice(.local, ["a"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote) == ["b": 0])
        folder.answer = { _ in nil }
        try folder.pass(seconds: 100)
        #expect(folder.contents(.local) == ["b": 0] && folder.contents(.remote) == ["b": 0])
    }
}
