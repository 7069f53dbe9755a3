import SimulatedWorld
import SyncCore
import Testing

/// What other clients of the same remote do there shows as changes, and some of it half done.
@Suite("Other clients on the remote")
struct SeveralClientsTests {
    @Test("D6: an exchange of names that another client is carrying out is neither undone nor a conflict")
    func exchangeElsewhere() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        folder.write(.local, "b", 2)
        try folder.sync()
        folder.forgetEffects()
        folder.move(.remote, "a", ".roundel-move-3-OTHR")
        folder.move(.remote, "b", "a")
        try folder.notice(.remote, ["a", "b", ".roundel-move-3-OTHR"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(.local) == ["a": 1, "b": 2])
        #expect(folder.contents(.remote) == [".roundel-move-3-OTHR": 1, "a": 2])
        folder.move(.remote, ".roundel-move-3-OTHR", "b")
        try folder.notice(.remote, ["b", ".roundel-move-3-OTHR"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(.local) == ["a": 2, "b": 1] && folder.contents(.remote) == folder.contents(.local))
        #expect(folder.count { if case .displace = $0 { true } else { false } } == 0)
        #expect(folder.count { if case .move(.remote, _, _, _, _) = $0 { true } else { false } } == 0)
    }

    @Test("an exchange of names that this client did not finish is finished by it")
    func ownExchange() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        try folder.sync()
        folder.move(.remote, "a", ".roundel-move-3-TEST")
        try folder.sync()
        #expect(folder.contents(.remote) == ["a": 1] && folder.contents(.local) == ["a": 1])
    }

    @Test("what stands aside, deleted here and changed there, gets its name back")
    func changedAside() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        folder.write(.local, "d/x", 2)
        folder.write(.local, "e", 3)
        folder.write(.local, "f", 8)
        try folder.sync()
        for (path, version) in [("a", 4), ("d", 5), ("e", 6)] {
            let id = try #require(try folder.node(path))
            let aside = ".roundel-move-\(id.rawValue)-TEST"
            folder.move(.remote, path, aside)
            folder.delete(.local, path)
            folder.write(.remote, path == "d" ? "\(aside)/x" : aside, version)
        }
        folder.write(.remote, "e", 7)
        try folder.sync()
        try folder.pass(seconds: 10)
        let found = folder.contents(.local)
        #expect(found["a"] == 4 && found["d/x"] == 5 && found["e"] == 7)
        #expect(found.keys.contains { $0.starts(with: "e (conflict ") } && found.values.contains(6))
        #expect(!found.keys.contains { $0.contains("roundel-move") } && folder.contents(.remote) == found)
    }
}
