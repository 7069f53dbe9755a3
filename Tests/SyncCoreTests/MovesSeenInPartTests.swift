import SimulatedWorld
import SyncCore
import Testing

/// Items that are moved while they are looked at, so that each look shows a part of what happened.
@Suite("Moves that are seen in part")
struct MovesSeenInPartTests {
    private static func isStage(_ effect: Effect) -> Bool {
        if case .stage = effect { true } else { false }
    }

    private static func isRemoval(_ effect: Effect) -> Bool {
        if case .remove = effect { true } else { false }
    }

    private static func isCheck(_ effect: Effect, _ path: String) -> Bool {
        guard case .checkEntry(_, let checked, _) = effect else { return false }
        return checked.description == path
    }

    private func synced(_ files: [String: Int]) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        for (path, content) in files.sorted(by: { $0.key < $1.key }) { folder.write(.local, path, content) }
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    private func exchange(_ folder: inout SimulatedFolder, _ side: Side, _ first: String, _ second: String) {
        folder.move(side, first, "aside")
        folder.move(side, second, first)
        folder.move(side, "aside", second)
    }

    @Test(
        "D6: what is in another directory by now says nothing about the one that stood there", arguments: Side.allCases)
    func anotherDirectory(side: Side) throws {
        var folder = try synced(["d/x": 1, "e/y": 2])
        exchange(&folder, side, "d", "e")
        try folder.notice(side, ["d/x"])
        #expect(folder.count(Self.isRemoval) == 0)
        try folder.notice(side, ["d", "e", "aside"])
        #expect(folder.contents(side.other) == ["d": 0, "d/y": 2, "e": 0, "e/x": 1])
        #expect(folder.count(Self.isRemoval) == 0 && folder.count(Self.isStage) == 0)
    }

    @Test("D6: a file is not deleted because its directory is elsewhere by now")
    func directoryIsElsewhere() throws {
        var folder = try synced(["d/x": 1])
        folder.move(.local, "d", "e")
        try folder.notice(.local, ["d/x"])
        try folder.notice(.local, ["d", "e"])
        #expect(folder.contents(.remote) == ["e": 0, "e/x": 1])
        #expect(folder.count(Self.isStage) == 0)
    }

    @Test("an item that was seen at a third place is not put back to the second")
    func thirdPlace() throws {
        var folder = try synced(["d/a": 1])
        folder.move(.remote, "d/a", "d/b")
        // Whether it is at its old place still: that is told late.
        folder.isHeld = { effect in
            guard case .checkEntry(.remote, _, let directory) = effect else { return false }
            return directory.isEmpty
        }
        try folder.notice(.remote, ["d/b"])
        folder.move(.remote, "d/b", "d/c")
        try folder.notice(.remote, ["d/a"])
        try folder.notice(.remote, ["d/c"])
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(.local) == ["d": 0, "d/c": 1])
    }

    @Test("promise 6: of an exchange one half is told, and the other is found", arguments: Side.allCases)
    func halfAnExchange(side: Side) throws {
        var folder = try synced(["a": 1, "b": 2])
        exchange(&folder, side, "a", "b")
        try folder.notice(side, ["b"])
        #expect(folder.contents(side.other) == ["a": 2, "b": 1])
        #expect(folder.count(Self.isStage) == 0 && folder.count(Self.isRemoval) == 0)
    }

    @Test("promise 6: a moved file whose name was given to a new one is moved, though the new one is seen first")
    func nameGivenAway() throws {
        var folder = try synced(["a": 1])
        folder.move(.local, "a", "b")
        folder.write(.local, "a", 2)
        folder.isHeld = { Self.isCheck($0, "b") }
        try folder.notice(.local, ["a", "b"])
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(.remote) == ["a": 2, "b": 1])
        #expect(folder.summary.moved == 1 && folder.count(Self.isStage) == 1)
    }

    @Test("promise 6: the same where both are seen before it is known whether the moved one is still in its place")
    func nameGivenAwayMeanwhile() throws {
        var folder = try synced(["a": 1])
        folder.move(.local, "a", "b")
        folder.write(.local, "a", 2)
        try folder.notice(.local, ["a", "b"])
        #expect(folder.contents(.remote) == ["a": 2, "b": 1])
        #expect(folder.count(Self.isStage) == 1)
    }

    @Test("promise 6: the same where the new one was seen before it was asked whether the moved one is in its place")
    func nameGivenAwayBeforeItIsAsked() throws {
        let others = (0..<40).map { "o\($0 / 10)/\($0)" }
        let beside = (0..<20).map { "d/n\($0)" }
        let known = (["p/x", "q/y"] + others + beside).enumerated().map { ($1, $0 + 1) }
        var folder = try synced(Dictionary(uniqueKeysWithValues: known))
        folder.move(.local, "p/x", "d/x")
        folder.write(.local, "p/x", 99)
        folder.move(.local, "q/y", "d/y")
        func isCheck(_ effect: Effect) -> Bool { if case .checkEntry = effect { true } else { false } }
        func isLook(_ effect: Effect) -> Bool {
            if case .listDirectory = effect { true } else { isCheck(effect) }
        }
        // The listing shows both moves when there is room to ask about one.
        folder.isHeld = isLook
        try folder.notice(.local, ["d/x", "d/y", "p/x"] + beside)
        try folder.notice(.local, others)
        folder.isHeld = isCheck
        try folder.finish()
        folder.isHeld = { isLook($0) && !Self.isCheck($0, "p/x") }
        try folder.finish()
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.notice(.local, ["q/y"])
        #expect(folder.contents(.remote) == folder.contents(.local))
        #expect(folder.count(Self.isStage) == 1)
    }

    @Test("promise 6: the same in the midst of a scan, while nothing can be done about either")
    func nameGivenAwayInAScan() throws {
        var folder = try synced(["a": 1, "f": 2])
        folder.pageSize = 1
        folder.move(.remote, "f", "r")
        folder.move(.local, "f", "g")
        folder.write(.local, "f", 3)
        func isPage(_ effect: Effect, isFirst: Bool) -> Bool {
            guard case .listDirectory(.local, _, let part) = effect else { return false }
            return (part.after == nil) == isFirst
        }
        folder.isHeld = { isPage($0, isFirst: true) }
        try folder.command(.syncNow)
        try folder.notice(.local, ["f"])
        folder.isHeld = { isPage($0, isFirst: false) }
        try folder.finish()
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(.local) == ["a": 1, "f": 3, "r": 2])
        #expect(folder.contents(.remote) == ["a": 1, "f": 3, "r": 2])
    }

    @Test(
        "D6: a file that was renamed alike on both sides and changed on one is one file, though it was seen to be gone")
    func renamedAlike() throws {
        var folder = try synced(["a": 1])
        folder.write(.local, "a", 3)
        for side in Side.allCases { folder.move(side, "a", "d") }
        folder.isHeld = { effect in
            if case .listDirectory(.remote, _, _) = effect { return true }
            return Self.isCheck(effect, "d")
        }
        try folder.notice(.local, ["a"])
        try folder.notice(.local, ["d"])
        folder.isHeld = { Self.isCheck($0, "d") }
        try folder.finish()
        folder.isHeld = { _ in false }
        try folder.finish()
        for side in Side.allCases { #expect(folder.contents(side) == ["d": 3]) }
    }

    @Test("D7: what is new at the place to which a deleted item was moved is another item: both stay")
    func newAtThePlaceOfAMove() throws {
        var folder = SimulatedFolder(grain: 2_000_000_000)
        folder.pace = 1_000
        folder.write(.local, "a", 11)
        try folder.sync()
        try folder.pass(seconds: 10)
        try folder.sync()
        folder.move(.local, "a", "b")
        folder.delete(.remote, "a")
        folder.isHeld = { if case .hashFile = $0 { true } else { false } }
        try folder.notice(.local, ["a", "b"])
        try folder.notice(.remote, ["a"])
        try folder.pass(seconds: 4)
        folder.write(.remote, "b", 22)
        try folder.notice(.remote, ["b"])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect(folder.contents(.local).values.sorted() == [11, 22])
        #expect(folder.contents(.local)["b"] == 22)
    }

    @Test("what is told by a directory's former path is found, though another directory stands there")
    func formerPathIsTaken() throws {
        var folder = try synced(["p/1": 1, "q/2": 2])
        exchange(&folder, .local, "p", "q")
        folder.write(.remote, "p/x", 3)
        try folder.notice(.local, ["p", "q", "aside"])
        #expect(folder.contents(.remote)["q/x"] == 3)
        try folder.notice(.remote, ["p/x"])
        #expect(folder.contents(.local)["q/x"] == 3)
    }

    @Test("D6: what was deleted in a directory that was moved away and back is deleted", arguments: Side.allCases)
    func awayAndBack(side: Side) throws {
        var folder = try synced(["b/d/x": 1, "b/e": 2, "c/y": 3])
        exchange(&folder, side, "b", "c")
        folder.delete(side, "c/d/x")
        exchange(&folder, side, "b", "c")
        try folder.notice(side, ["b", "aside", "c", "c/d/x"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(side.other) == ["b": 0, "b/d": 0, "b/e": 2, "c": 0, "c/y": 3])
    }

    @Test("what a listing that came short does not show is not in the way of what it shows")
    func shortListing() throws {
        var folder = try synced(["d/a": 1, "d/b": 2])
        exchange(&folder, .remote, "d/a", "d/b")
        folder.shown = { result in
            guard case .listing(let entries, _, tag: _) = result,
                entries.contains(where: { $0.name.description == "b" })
            else {
                return result
            }
            return .listing(entries.filter { $0.name.description == "b" }, isComplete: false)
        }
        try folder.notice(.remote, ["d/unknown/item"])
        folder.shown = { $0 }
        try folder.pass(seconds: 40)
        #expect(folder.contents(.local) == ["d": 0, "d/a": 2, "d/b": 1])
        #expect(folder.count(Self.isStage) == 0)
    }

    @Test(
        "D6: a directory whose former place could not be looked at was moved once that is empty",
        arguments: Side.allCases)
    func unknownFormerPlace(side: Side) throws {
        var folder = try synced(["d/x": 1, "d/y": 2])
        try folder.command(.pause)
        folder.move(side, "d", "e")
        folder.delete(side.other, "d/y")
        folder.answer = { Self.isCheck($0, "d") ? .failed(EffectFailure(.denied, "closed")) : nil }
        try folder.notice(side, ["e"])
        folder.answer = { _ in nil }
        try folder.notice(side, ["d"])
        try folder.notice(side.other, ["d/y"])
        try folder.command(.resume)
        for side in Side.allCases { #expect(folder.contents(side) == ["e": 0, "e/x": 1]) }
        #expect(folder.count(Self.isStage) == 0)
    }

    @Test("D6: a name given by making a second one and removing the first is a move", arguments: Side.allCases)
    func secondNameFirst(side: Side) throws {
        var folder = try synced(["a": 1])
        try folder.command(.pause)
        folder.link(side, "a", "b")
        try folder.notice(side, ["b"])
        folder.delete(side, "a")
        try folder.notice(side, ["a"])
        try folder.command(.resume)
        for side in Side.allCases { #expect(folder.contents(side) == ["b": 1]) }
        #expect(folder.count(Self.isStage) == 0 && folder.count(Self.isRemoval) == 0)
    }

    @Test(
        "D6: a file in whose place two others were seen one after the other is at its new place",
        arguments: Side.allCases)
    func oustedTwice(side: Side) throws {
        var folder = try synced(["a": 1, "b": 2])
        try folder.command(.pause)
        folder.move(side, "b", "aside")
        folder.write(side, "b", 3)
        try folder.notice(side, ["b"])
        folder.delete(side, "a")
        folder.move(side, "aside", "a")
        folder.delete(side, "b")
        folder.write(side, "b", 4)
        try folder.sync()
        try folder.command(.resume)
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 2, "b": 4]) }
    }
}
