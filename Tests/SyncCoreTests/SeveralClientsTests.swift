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

    @Test("a directory that gives its name to what was in it is not made again while another client carries that out")
    func nameOfItsDirectory() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "d/a", 1)
        try folder.sync()
        folder.move(.remote, "d/a", ".roundel-move-3-OTHR")
        folder.delete(.remote, "d")
        try folder.notice(.remote, ["d/a", "d", ".roundel-move-3-OTHR"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote) == [".roundel-move-3-OTHR": 1])
        folder.move(.remote, ".roundel-move-3-OTHR", "d")
        try folder.notice(.remote, ["d", ".roundel-move-3-OTHR"])
        try folder.pass(seconds: 10)
        for side in Side.allCases { #expect(folder.contents(side) == ["d": 1]) }
        #expect(folder.count { if case .displace = $0 { true } else { false } } == 0)
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

    @Test(
        "a directory that stands aside, into which another client moved the one that it was to go to, gets its name back"
    )
    func filledAside() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a/x", 1)
        folder.write(.local, "b/y", 2)
        try folder.sync()
        let aside = ".roundel-move-\(try #require(try folder.node("b")).rawValue)-TEST"
        folder.move(.remote, "b", aside)
        folder.move(.remote, "a", "\(aside)/c")
        folder.move(.local, "b", "a/d")
        try folder.sync()
        try folder.pass(seconds: 10)
        for side in Side.allCases {
            #expect(folder.contents(side) == ["b": 0, "b/c": 0, "b/c/x": 1, "b/y": 2])
        }
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

    @Test("D7: a conflict of what stands aside is called by the name that it had")
    func conflictAside() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        try folder.sync()
        let aside = ".roundel-move-\(try #require(try folder.node("a")).rawValue)-TEST"
        folder.move(.local, "a", aside)
        folder.write(.local, aside, 3)
        // A link is not synced, and stands in the way.
        folder.write(.local, "a", 0, kind: .symlink)
        folder.write(.remote, "a", 4)
        try folder.sync()
        folder.delete(.local, "a")
        try folder.sync()
        try folder.pass(seconds: 100)
        let found = folder.contents(.local)
        #expect(found["a"] == 4 && found.count == 2 && folder.contents(.remote) == found)
        #expect(found.contains { $0.key.starts(with: "a (conflict ") && $0.value == 3 })
    }

    @Test("what stands aside and was renamed like a conflict copy, changed on both sides, gets its name back")
    func copyAside() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        try folder.sync()
        let aside = ".roundel-move-\(try #require(try folder.node("a")).rawValue)-TEST"
        let copy = "a (conflict 2026-11-21 080509 TEST)"
        folder.move(.remote, "a", aside)
        folder.write(.remote, aside, 4)
        folder.move(.local, "a", copy)
        folder.write(.local, copy, 3)
        try folder.sync()
        try folder.pass(seconds: 10)
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 4, copy: 3]) }
    }

    @Test(
        "what a person called like something that stands aside is synced like anything else",
        arguments: ["OTHR", "TEST"])
    func calledSo(tag: String) throws {
        var folder = SimulatedFolder()
        let name = ".roundel-move-3-\(tag)"
        folder.write(.remote, name, 1)
        try folder.sync()
        folder.write(.remote, name, 2)
        try folder.notice(.remote, [name])
        #expect(folder.contents(.local) == [name: 2])
        folder.delete(.local, name)
        folder.write(.remote, name, 3)
        try folder.sync()
        #expect(folder.contents(.local) == [name: 3] && folder.contents(.remote) == [name: 3])
        #expect(folder.count { if case .move = $0 { true } else { false } } == 0)
    }
}
