import SimulatedWorld
import SyncCore
import Testing

/// A person who declines the deletions that are held back: what is missing comes back from the other side.
@Suite("Deletions that are put back")
struct PutBackTests {
    private func folder(files: Int) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        for number in 1...files { folder.write(.local, "f\(number)", number) }
        folder.write(.local, "d/inner", 1_001)
        folder.write(.local, "d/e/deep", 1_002)
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    private func asked(_ folder: SimulatedFolder) -> Int? {
        if case .confirmDeletes(let count, _)? = folder.status?.phase { count } else { nil }
    }

    /// Deletes thirty files and a directory with all that is in it: 34 items.
    private func deleteMany(_ side: Side, in folder: inout SimulatedFolder) throws {
        for number in 1...30 { folder.delete(side, "f\(number)") }
        for path in ["d/e/deep", "d/e", "d/inner", "d"] { folder.delete(side, path) }
        try folder.sync()
    }

    private func isTransfer(_ effect: Effect) -> Bool {
        if case .publish = effect { true } else { false }
    }

    @Test("everything comes back, each file is transferred once, and nothing is deleted", arguments: Side.allCases)
    func comesBack(side: Side) throws {
        var folder = try folder(files: 40)
        let before = folder.contents(side.other)
        try deleteMany(side, in: &folder)
        #expect(asked(folder) == 34)
        try folder.command(.restoreDeleted)
        #expect(folder.contents(side) == before && folder.contents(side.other) == before)
        #expect(folder.count(isTransfer) == 32)
        #expect(folder.count { if case .remove = $0 { true } else { false } } == 0)
        #expect(asked(folder) == nil && folder.status?.state == .synced)
        folder.forgetEffects()
        try folder.sync()
        #expect(folder.mutations == 0)
    }

    @Test("what stands aside in an exchange of names comes back under the name that it had")
    func standsAside() throws {
        var folder = try folder(files: 40)
        let before = folder.contents(.remote)
        for path in ["f1", "d"] {
            let id = try #require(try folder.node(path))
            folder.move(.remote, path, ".roundel-move-\(id.rawValue)-TEST")
        }
        try deleteMany(.local, in: &folder)
        #expect(asked(folder) == 34)
        try folder.command(.restoreDeleted)
        try folder.pass(seconds: 10)
        for side in Side.allCases { #expect(folder.contents(side) == before) }
    }

    @Test("the answer holds though something new is found before it is followed", arguments: Side.allCases)
    func newMeanwhile(side: Side) throws {
        var folder = SimulatedFolder()
        for (number, name) in ["a", "b"].enumerated() { folder.write(.local, name, number) }
        try folder.sync()
        for name in ["a", "b"] { folder.delete(side, name) }
        try folder.sync()
        #expect(asked(folder) == 2)
        folder.isHeld = { effect in if case .probeRoots = effect { true } else { false } }
        folder.write(side, "c", 2)
        try folder.overflow(side, untilListed: 0)
        try folder.command(.restoreDeleted)
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        for side in Side.allCases { #expect(folder.contents(side) == ["a": 0, "b": 1, "c": 2]) }
    }

    @Test("the answer may come with the run that finds the deletions", arguments: Side.allCases)
    func answeredAtOnce(side: Side) throws {
        var folder = try folder(files: 40)
        let before = folder.contents(side.other)
        for number in 1...30 { folder.delete(side, "f\(number)") }
        try folder.command(.syncAnswering(.restoreDeleted))
        try folder.pass(seconds: 10)
        #expect(folder.contents(side) == before && folder.contents(side.other) == before)
        #expect(asked(folder) == nil)
    }

    @Test("the person declines later, over a restart", arguments: Side.allCases)
    func declinesLater(side: Side) throws {
        var folder = try folder(files: 40)
        let before = folder.contents(side.other)
        try deleteMany(side, in: &folder)
        try folder.pass(seconds: 100_000)
        try folder.restart()
        try folder.pass(seconds: 10)
        #expect(asked(folder) == 34)
        try folder.command(.restoreDeleted)
        #expect(folder.contents(side) == before)
    }

    @Test("what was deleted on both sides stays deleted", arguments: Side.allCases)
    func deletedOnBothSides(side: Side) throws {
        var folder = try folder(files: 40)
        for number in 1...3 { folder.delete(side.other, "f\(number)") }
        try deleteMany(side, in: &folder)
        #expect(asked(folder) != nil)
        try folder.command(.restoreDeleted)
        let found = folder.contents(side)
        #expect(found == folder.contents(side.other))
        #expect(found.count == 41 && found["f1"] == nil && found["f4"] == 4)
    }

    @Test("deletions that hold back none of the other side's are carried out", arguments: Side.allCases)
    func fewOnTheOtherSide(side: Side) throws {
        var folder = try folder(files: 40)
        folder.delete(side.other, "f40")
        try deleteMany(side, in: &folder)
        try folder.command(.restoreDeleted)
        let found = folder.contents(side)
        #expect(found == folder.contents(side.other))
        #expect(found["f40"] == nil && found["f1"] == 1)
    }

    @Test("what was edited on the other side comes back edited", arguments: Side.allCases)
    func edited(side: Side) throws {
        var folder = try folder(files: 40)
        folder.write(side.other, "f1", 500)
        try deleteMany(side, in: &folder)
        try folder.command(.restoreDeleted)
        #expect(folder.contents(side)["f1"] == 500 && folder.contents(side) == folder.contents(side.other))
    }

    @Test(
        "something new at the place of what was deleted stays, and nothing of either is lost", arguments: Side.allCases)
    func takenPlace(side: Side) throws {
        var folder = try folder(files: 40)
        try deleteMany(side, in: &folder)
        folder.write(side, "f1", 700)
        try folder.command(.restoreDeleted)
        try folder.sync()
        #expect(folder.contents(side) == folder.contents(side.other))
        #expect(Set(folder.contents(side).values).isSuperset(of: [700, 1, 2, 30, 1_001, 1_002]))
    }

    @Test("a child that was moved out of a deleted directory stays where it is", arguments: Side.allCases)
    func movedOut(side: Side) throws {
        var folder = try folder(files: 40)
        folder.move(side, "d/inner", "saved")
        for number in 1...30 { folder.delete(side, "f\(number)") }
        for path in ["d/e/deep", "d/e", "d"] { folder.delete(side, path) }
        try folder.sync()
        #expect(asked(folder) == 33)
        try folder.command(.restoreDeleted)
        let found = folder.contents(side)
        #expect(found == folder.contents(side.other))
        #expect(found["saved"] == 1_001 && found["d/inner"] == nil && found["d/e/deep"] == 1_002)
    }

    @Test("more than was asked about is asked about again", arguments: Side.allCases)
    func moreSince(side: Side) throws {
        var folder = try folder(files: 40)
        try deleteMany(side, in: &folder)
        for number in 31...35 { folder.delete(side, "f\(number)") }
        try folder.sync()
        #expect(asked(folder) == 39)
        for number in 36...38 { folder.delete(side, "f\(number)") }
        try folder.notice(side, ["f36", "f37", "f38"])
        #expect(folder.mutations == 0)
    }

    @Test("a root that goes before the answer: nothing is done", arguments: Side.allCases)
    func rootGoes(side: Side) throws {
        var folder = try folder(files: 40)
        try deleteMany(side, in: &folder)
        folder.loseRoot(side)
        try folder.command(.restoreDeleted)
        #expect(folder.mutations == 0)
        #expect(folder.status?.phase == .stopped)
    }

    @Test("what was put back can be deleted again, and is asked about again", arguments: Side.allCases)
    func again(side: Side) throws {
        var folder = try folder(files: 40)
        try deleteMany(side, in: &folder)
        try folder.command(.restoreDeleted)
        try deleteMany(side, in: &folder)
        #expect(asked(folder) == 34)
        try folder.command(.confirmDeletes)
        #expect(folder.contents(side.other).count == 10 && asked(folder) == nil)
    }
}
