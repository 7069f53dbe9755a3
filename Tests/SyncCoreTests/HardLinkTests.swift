import SimulatedWorld
import SyncCore
import Testing

/// Files with several names: each name is an item, and what is written under one stands under all, of which a watcher
/// tells one.
@Suite("Hard links")
struct HardLinkTests {
    /// A folder with “a” and its second name “b” on a side, synced.
    private func folder(linkedOn side: Side, excludes: [String] = []) throws -> SimulatedFolder {
        var folder = SimulatedFolder(excludes: excludes)
        folder.write(side, "a", 1)
        folder.write(side, "d/e", 2)
        folder.link(side, "a", "b")
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    private func isMove(_ effect: Effect) -> Bool {
        if case .move = effect { true } else { false }
    }

    private func expectEqual(_ folder: SimulatedFolder, _ expected: [String: Int]) {
        for side in Side.allCases {
            let found = folder.contents(side)
            #expect(expected.allSatisfy { found[$0.key] == $0.value } && found["a"] == expected["a"])
        }
    }

    @Test("D13: a second name is no renaming", arguments: Side.allCases)
    func secondName(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.link(side, "d/e", "f")
        folder.link(side, "a", "d/c")
        try folder.notice(side, ["f", "d/c"])
        expectEqual(folder, ["a": 1, "b": 1, "d/c": 1, "d/e": 2, "f": 2])
        #expect(folder.count(isMove) == 0)
    }

    @Test("one name is deleted, the others stay", arguments: Side.allCases)
    func oneDeleted(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.delete(side, "a")
        try folder.notice(side, ["a"])
        expectEqual(folder, ["b": 1, "d/e": 2])
    }

    @Test("what is written under one name is found under the other", arguments: Side.allCases)
    func written(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.write(side, "a", 3)
        try folder.notice(side, ["a"])
        expectEqual(folder, ["a": 3, "b": 3])
    }

    @Test("what is written under a name that is new as well", arguments: Side.allCases)
    func writtenUnderNewName(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.link(side, "d/e", "f")
        folder.write(side, "f", 3)
        try folder.notice(side, ["f"])
        expectEqual(folder, ["a": 1, "d/e": 3, "f": 3])
    }

    @Test("what is written under a name that is deleted then", arguments: Side.allCases)
    func writtenAndDeleted(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.write(side, "a", 3)
        folder.delete(side, "a")
        try folder.notice(side, ["a"])
        expectEqual(folder, ["b": 3])
    }

    @Test("what is written under a name that another file takes then", arguments: Side.allCases)
    func writtenAndReplaced(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.write(side, "a", 3)
        folder.delete(side, "a")
        folder.write(side, "a", 4)
        try folder.notice(side, ["a"])
        expectEqual(folder, ["a": 4, "b": 3])
    }

    @Test("what is written under a name that is not synced", arguments: Side.allCases)
    func writtenUnderExcludedName(side: Side) throws {
        var folder = try folder(linkedOn: side, excludes: ["x", "y"])
        folder.link(side, "a", "x")
        folder.link(side, "a", "y")
        folder.write(side, "x", 3)
        try folder.notice(side, ["x", "y"])
        expectEqual(folder, ["a": 3, "b": 3])
    }

    @Test(
        "what is written under a name that is not synced and gone then",
        arguments: Side.allCases, [false, true])
    func writtenUnderExcludedNameThatGoes(side: Side, isReplaced: Bool) throws {
        var folder = try folder(linkedOn: side, excludes: ["x"])
        folder.link(side, "a", "x")
        try folder.notice(side, ["x"])
        folder.write(side, "x", 3)
        folder.delete(side, "x")
        if isReplaced { folder.write(side, "x", 4) }
        try folder.notice(side, ["x"])
        expectEqual(folder, ["a": 3, "b": 3])
    }

    @Test("what is written under a name that is not synced and goes with its directory", arguments: Side.allCases)
    func writtenUnderExcludedNameInDirectoryThatGoes(side: Side) throws {
        var folder = try folder(linkedOn: side, excludes: ["x"])
        folder.link(side, "a", "d/x")
        try folder.notice(side, ["d/x"])
        folder.write(side, "d/x", 3)
        folder.delete(side, "d")
        try folder.notice(side, ["d"])
        try folder.pass(seconds: 10)
        expectEqual(folder, ["a": 3, "b": 3])
    }

    @Test("what is written under a new name, in a directory that a decision puts in the trash then")
    func writtenInDiscarded() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "a", 1)
        try folder.sync()
        folder.write(.local, "d", 2)
        folder.write(.remote, "d/c", 3)
        try folder.sync()
        folder.link(.local, "a", "d/x")
        folder.write(.local, "d/x", 4)
        // The watcher tells of it when the directory is gone.
        try folder.command(.resolve(try #require(try folder.node("d")), .mine))
        #expect(folder.contents(.local) == ["a": 4, "d": 2])
        try folder.notice(.local, ["d/x"])
        #expect(folder.contents(.remote) == ["a": 4, "d": 2])
    }

    @Test("permissions that are set for one name are those of all", arguments: Side.allCases)
    func permissions(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.setPermissions(side.other, "a", 0o600)
        try folder.notice(side.other, ["a"])
        for side in Side.allCases {
            #expect(["a", "b"].allSatisfy { folder.permissions(side, $0) == folder.permissions(.local, "a") })
        }
    }

    @Test("permissions that are set under a name just before the session takes it away", arguments: Side.allCases)
    func permissionsOfRemoved(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.isHeld = { effect in if case .remove = effect { true } else { false } }
        folder.delete(side.other, "a")
        try folder.notice(side.other, ["a"])
        // The session looked at it before, and takes it away after that.
        folder.setPermissions(side, "a", 0o600)
        folder.delete(side, "a")
        folder.answer = { effect in if case .remove = effect { .done } else { nil } }
        folder.isHeld = { _ in false }
        try folder.finish()
        expectEqual(folder, ["b": 1])
        for side in Side.allCases { #expect(folder.permissions(side, "b") == "600") }
    }

    @Test("a name that seemed gone for a moment is found again", arguments: Side.allCases)
    func goneForAMoment(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.link(side, "d/e", "f")
        var failures = 1
        folder.answer = { effect in
            guard case .checkEntry(side, let path, _) = effect, path.description == "d/e", failures > 0 else {
                return nil
            }
            failures -= 1
            return .failed(EffectFailure(.notFound))
        }
        try folder.notice(side, ["f"])
        try folder.pass(seconds: 100)
        expectEqual(folder, ["a": 1, "d/e": 2, "f": 2])
    }

    @Test("a first name whose directory is renamed while it is looked for is found again", arguments: Side.allCases)
    func directoryRenamedMeanwhile(side: Side) throws {
        var folder = try folder(linkedOn: side)
        folder.link(side, "d/e", "f")
        // What is found at the old path is told after the directory was listed at its new one.
        folder.isHeld = { effect in
            guard case .checkEntry(side, let path, _) = effect else { return false }
            return path.description == "d/e"
        }
        try folder.notice(side, ["f"])
        folder.move(side, "d", "g")
        try folder.notice(side, ["d", "g"])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 100)
        expectEqual(folder, ["a": 1, "b": 1, "f": 2, "g/e": 2])
    }

    @Test(
        "a file that was moved and got its second name in the former directory stands at both", arguments: Side.allCases
    )
    func movedAndNamedTwice(side: Side) throws {
        var folder = SimulatedFolder()
        folder.pageSize = 1
        for (path, content) in [("b", 1), ("c", 2), ("d/x", 3), ("e", 4)] { folder.write(side, path, content) }
        try folder.sync()
        folder.move(side, "b", "d/b")
        // Some pages of the directory were listed, and others not, when the second name is given.
        folder.isHeld = { effect in
            if case .listDirectory(side, .root, let part) = effect { part.after == EntryName("c") } else { false }
        }
        try folder.notice(side, ["unknown/item"])
        try folder.notice(side, ["d/b"])
        folder.link(side, "d/b", "a")
        try folder.notice(side, ["a"])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 100)
        for side in Side.allCases {
            #expect(folder.contents(side) == ["a": 1, "c": 2, "d": 0, "d/b": 1, "d/x": 3, "e": 4])
        }
    }

    @Test("two names that go with their directory are one under a name that came just before", arguments: Side.allCases)
    func bothGoneWithDirectory(side: Side) throws {
        var folder = SimulatedFolder()
        folder.write(side, "a", 1)
        folder.write(side, "d/b", 2)
        folder.link(side, "d/b", "d/c")
        try folder.sync()
        folder.forgetEffects()
        folder.isHeld = { effect in if case .stage = effect { true } else { false } }
        folder.link(side, "d/b", "e")
        try folder.notice(side, ["e"])
        folder.delete(side, "d")
        try folder.notice(side, ["d"])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 1, "e": 2]) }
        #expect(folder.count(isMove) == 1)
    }
}
