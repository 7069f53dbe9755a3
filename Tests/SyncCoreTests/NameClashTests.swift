import SimulatedWorld
import SyncCore
import Testing

@Suite("Names that clash at a remote which ignores case and normalisation (promise 8)")
struct NameClashTests {
    private static let pairs = [("Report", "report"), ("\u{c4}", "a\u{308}")]

    @Test("one of two is synced, the other says so, and nothing is overwritten", arguments: pairs)
    func files(first: String, second: String) throws {
        var folder = SimulatedFolder(foldsRemoteNames: true)
        folder.write(.local, first, 1)
        try folder.sync()
        folder.write(.local, second, 2)
        try folder.sync()
        try folder.sync()
        #expect(folder.contents(.remote) == [first: 1])
        #expect(folder.contents(.local) == [first: 1, second: 2])
        #expect(try folder.state(first) == .synced && folder.state(second) == .error)
        let id = try #require(try folder.node(second))
        #expect(try folder.session.presentation(of: id).message.code == .nameClash)
        folder.move(.local, second, "other")
        try folder.sync()
        #expect(folder.contents(.remote) == [first: 1, "other": 2])
        #expect(try folder.state("other") == .synced)
    }

    @Test("two forms of one text are two names here and one there")
    func normalisation() throws {
        var folder = SimulatedFolder(foldsRemoteNames: true)
        folder.write(.local, "caf\u{e9}", 1)
        try folder.sync()
        folder.write(.local, "cafe\u{301}", 2)
        try folder.sync()
        #expect(try folder.node("caf\u{e9}") != folder.node("cafe\u{301}"))
        #expect(try folder.state("caf\u{e9}") == .synced && folder.state("cafe\u{301}") == .error)
        #expect(Array(folder.contents(.remote).values) == [1])
    }

    @Test("what is in a directory that clashes waits with it", arguments: pairs)
    func directories(first: String, second: String) throws {
        var folder = SimulatedFolder(foldsRemoteNames: true)
        folder.write(.local, "\(first)/a", 1)
        try folder.sync()
        folder.write(.local, "\(second)/b", 2)
        try folder.sync()
        #expect(folder.contents(.remote) == [first: 0, "\(first)/a": 1])
        #expect(folder.contents(.local)["\(second)/b"] == 2)
        #expect(try folder.state(second) == .error && folder.state("\(second)/b") == .pending)
    }

    @Test("an item that is renamed to another spelling of its name is renamed there as well", arguments: pairs)
    func respelled(first: String, second: String) throws {
        var folder = SimulatedFolder(foldsRemoteNames: true)
        folder.write(.local, first, 1)
        try folder.sync()
        folder.move(.local, first, second)
        try folder.sync()
        #expect(folder.contents(.remote) == [second: 1] && folder.contents(.local) == [second: 1])
        #expect(folder.summary.moved == 1)
    }

    @Test("two files whose names are swapped through another spelling are swapped there, or each says why it is not")
    func swapped() throws {
        var folder = SimulatedFolder(foldsRemoteNames: true)
        folder.write(.local, "a", 1)
        folder.write(.local, "b", 2)
        try folder.sync()
        folder.move(.local, "a", "between")
        folder.move(.local, "b", "A")
        folder.move(.local, "between", "B")
        for _ in 0..<4 { try folder.sync() }
        #expect(folder.contents(.local) == ["A": 2, "B": 1])
        #expect(folder.contents(.remote).values.sorted() == [1, 2])
        for name in ["A", "B"] where folder.contents(.remote)[name] != folder.contents(.local)[name] {
            let id = try #require(try folder.node(name))
            #expect(try folder.state(name) != .synced)
            #expect(try !folder.session.presentation(of: id).message.isEmpty)
        }
    }

    @Test("a clash costs no transfer again and again: it is tried anew after minutes, or when a person asks")
    func isNotTriedAtOnce() throws {
        var folder = SimulatedFolder(foldsRemoteNames: true)
        folder.write(.local, "Report", 1)
        folder.write(.local, "report", 2)
        try folder.sync()
        let transfers = folder.count { if case .stage = $0 { true } else { false } }
        #expect(transfers == 2)
    }
}
