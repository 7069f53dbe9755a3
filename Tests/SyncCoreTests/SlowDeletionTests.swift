import SimulatedWorld
import SyncCore
import Testing

/// Deletions that come a few at a time, over seconds, hours and restarts.
@Suite("Slow deletions")
struct SlowDeletionTests {
    private func folder(files: Int) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        for number in 1...files { folder.write(.local, "f\(number)", number) }
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        folder.pace = 1_000
        return folder
    }

    private func asked(_ folder: SimulatedFolder) -> Int? {
        if case .confirmDeletes(let count, _)? = folder.status?.phase { count } else { nil }
    }

    /// Deletes files one after the other, told as a watcher does: once a second.
    private func delete(
        _ numbers: ClosedRange<Int>, every seconds: Double, _ side: Side, in folder: inout SimulatedFolder
    ) throws {
        var told: [String] = []
        var untold = 0.0
        for number in numbers {
            folder.delete(side, "f\(number)")
            told.append("f\(number)")
            untold += seconds
            try folder.pass(seconds: seconds)
            if untold < 1 && number != numbers.upperBound { continue }
            try folder.notice(side, told)
            (told, untold) = ([], 0)
        }
    }

    @Test("600 files that go one by one are counted together before the first one is deleted", arguments: Side.allCases)
    func oneByOne(side: Side) throws {
        var folder = try folder(files: 600)
        try delete(1...600, every: 0.01, side, in: &folder)
        try folder.pass(seconds: 10)
        #expect(asked(folder) == 600)
        #expect(folder.mutations == 0 && folder.contents(side.other).count == 600)
    }

    @Test("while deletions keep coming none but the first is carried out, and everything else goes on")
    func goesOn() throws {
        var folder = try folder(files: 100)
        for number in 1...20 {
            folder.delete(.local, "f\(number)")
            try folder.notice(.local, ["f\(number)"])
            folder.write(.local, "new \(number)", 1_000 + number)
            try folder.notice(.local, ["new \(number)"])
            #expect(folder.contents(.remote)["new \(number)"] == 1_000 + number)
            #expect(folder.contents(.remote).count == 99 + number)
            try folder.pass(seconds: 2)
        }
        try folder.pass(seconds: 3)
        #expect(folder.contents(.remote) == folder.contents(.local))
        #expect(asked(folder) == nil)
    }

    @Test("something else at the place of what may have been deleted waits, and then takes it")
    func takenPlace() throws {
        var folder = try folder(files: 100)
        folder.delete(.local, "f1")
        folder.delete(.local, "f2")
        try folder.notice(.local, ["f1", "f2"])
        folder.write(.local, "f1/inner", 7)
        folder.write(.remote, "f2", 50)
        try folder.notice(.local, ["f1"])
        try folder.notice(.remote, ["f2"])
        #expect(folder.contents(.remote)["f1"] == 1)
        try folder.pass(seconds: 4)
        #expect(folder.contents(.remote)["f1/inner"] == 7)
        #expect(folder.contents(.local)["f2"] == 50)
        #expect(folder.contents(.local) == folder.contents(.remote))
    }

    @Test("one file is deleted without a wait", arguments: Side.allCases)
    func single(side: Side) throws {
        var folder = try folder(files: 3)
        folder.delete(side, "f1")
        try folder.notice(side, ["f1"])
        #expect(folder.contents(side.other).count == 2)
    }

    @Test("bites are counted together, also over restarts", arguments: [false, true], Side.allCases)
    func bites(restarts: Bool, side: Side) throws {
        var folder = try folder(files: 4_000)
        for bite in 0..<2 {
            for number in 1...400 { folder.delete(side, "f\(bite * 400 + number)") }
            try folder.sync()
            #expect(folder.contents(side.other).count == 4_000 - (bite + 1) * 400)
            try folder.pass(seconds: 600)
            if restarts { try folder.restart() }
        }
        for number in 801...1_200 { folder.delete(side, "f\(number)") }
        try folder.sync()
        #expect(asked(folder) == 400 && folder.status?.deletedBefore == 800)
        #expect(folder.contents(side.other).count == 3_200)
        try folder.command(.confirmDeletes)
        #expect(asked(folder) == nil && folder.contents(side.other).count == 2_800)
        // What was confirmed counts no more.
        for number in 1_201...1_600 { folder.delete(side, "f\(number)") }
        try folder.sync()
        #expect(asked(folder) == nil && folder.contents(side.other).count == 2_400)
    }

    @Test("the root that goes last takes nothing along on the other side", arguments: [false, true], Side.allCases)
    func rootLast(isReplaced: Bool, side: Side) throws {
        var folder = try folder(files: 60)
        try delete(1...60, every: 0.1, side, in: &folder)
        folder.loseRoot(side, isReplaced: isReplaced)
        try folder.notice(side, [""])
        try folder.pass(seconds: 60)
        guard case .stopped? = folder.status?.phase else {
            Issue.record("the folder goes on: \(String(describing: folder.status))")
            return
        }
        #expect(folder.mutations == 0 && folder.contents(side.other).count == 60)
    }

    @Test("the root goes while deletions wait for a confirmation: they are not carried out", arguments: Side.allCases)
    func rootGoesBeforeConfirmation(side: Side) throws {
        var folder = try folder(files: 60)
        for number in 1...50 { folder.delete(side, "f\(number)") }
        try folder.sync()
        #expect(asked(folder) == 50)
        folder.loseRoot(side)
        try folder.command(.confirmDeletes)
        #expect(folder.mutations == 0 && folder.contents(side.other).count == 60)
    }

    @Test("a person who deletes some files each day is never asked")
    func everyDay() throws {
        var folder = try folder(files: 90)
        for day in 0..<4 {
            try delete(day * 15 + 1...day * 15 + 15, every: 20, .local, in: &folder)
            try folder.pass(seconds: 4)
            #expect(asked(folder) == nil && folder.contents(.remote).count == 75 - day * 15)
            try folder.pass(seconds: 80_000)
            if day == 2 { try folder.restart() }
        }
    }

    @Test("more than half within an hour are asked about, however slowly they go")
    func moreThanHalf() throws {
        var folder = try folder(files: 50)
        for number in 1...26 {
            folder.delete(.remote, "f\(number)")
            try folder.notice(.remote, ["f\(number)"])
            try folder.pass(seconds: 60)
        }
        #expect(asked(folder) == 1 && folder.status?.deletedBefore == 25)
        #expect(folder.contents(.local).count == 25)
    }

    @Test("what comes and goes meanwhile counts for nothing")
    func comesAndGoes() throws {
        var folder = try folder(files: 10)
        folder.delete(.local, "f1")
        try folder.sync()
        for number in 1...60 {
            folder.write(.local, "draft \(number)", number)
            try folder.sync()
            folder.delete(.local, "draft \(number)")
            try folder.sync()
            try folder.pass(seconds: 10)
        }
        #expect(asked(folder) == nil && folder.contents(.remote).count == 9)
    }

    @Test("the clock of the machine may jump: the deletions are counted all the same", arguments: [-90_000, 90_000])
    func clockJumps(by seconds: Int64) throws {
        var folder = try folder(files: 50)
        for number in 1...20 { folder.delete(.local, "f\(number)") }
        try folder.sync()
        folder.clock += seconds
        if seconds < 0 { try folder.restart() }
        for number in 21...26 { folder.delete(.local, "f\(number)") }
        try folder.sync()
        #expect(asked(folder) == 6 && folder.contents(.remote).count == 30)
        try folder.command(.confirmDeletes)
        // A window that began in the future ends an hour after that was seen.
        for number in 27...36 { folder.delete(.local, "f\(number)") }
        try folder.sync()
        folder.clock -= 90_000
        try folder.restart()
        try folder.pass(seconds: 3_700)
        for number in 37...42 { folder.delete(.local, "f\(number)") }
        try folder.sync()
        #expect(asked(folder) == nil && folder.contents(.remote).count == 8)
    }

    @Test("more that went since it was asked is asked about again")
    func moreSince() throws {
        var folder = try folder(files: 100)
        for number in 1...60 { folder.delete(.local, "f\(number)") }
        try folder.sync()
        for number in 61...90 { folder.delete(.local, "f\(number)") }
        try folder.notice(.local, (61...90).map { "f\($0)" })
        try folder.command(.confirmDeletes)
        #expect(asked(folder) == 90 && folder.contents(.remote).count == 100)
        try folder.command(.confirmDeletes)
        #expect(folder.contents(.remote).count == 10)
    }

    @Test("both sides at once: each is asked about")
    func bothSides() throws {
        var folder = try folder(files: 100)
        for number in 1...55 { folder.delete(.local, "f\(number)") }
        for number in 46...100 { folder.delete(.remote, "f\(number)") }
        try folder.sync()
        #expect(asked(folder) == 55)
        try folder.command(.confirmDeletes)
        #expect(asked(folder) == 55 && folder.contents(.local).count == 45)
        try folder.command(.confirmDeletes)
        #expect(asked(folder) == nil)
        #expect(folder.contents(.local).isEmpty && folder.contents(.remote).isEmpty)
    }

    @Test("a run that is told to carry deletions out does so, and the next one asks again")
    func confirmingRun() throws {
        var folder = try folder(files: 100)
        for number in 1...60 { folder.delete(.local, "f\(number)") }
        try folder.command(.syncAnswering(.confirmDeletes))
        #expect(asked(folder) == nil && folder.contents(.remote).count == 40)
        try folder.command(.syncAnswering(.confirmDeletes))
        for number in 61...90 { folder.delete(.local, "f\(number)") }
        try folder.sync()
        #expect(asked(folder) == 30 && folder.contents(.remote).count == 40)
    }

    @Test("while an answer is awaited, what could not be looked at is tried again")
    func triedAgain() throws {
        var folder = SimulatedFolder()
        for number in 1...30 { folder.write(.local, "d/f\(number)", number) }
        try folder.sync()
        for number in 1...30 { folder.delete(.local, "d/f\(number)") }
        try folder.notice(.local, ["d/f1", "d/f2", "d"] + (3...30).map { "d/f\($0)" })
        try folder.pass(seconds: 10)
        #expect(asked(folder) == 30)
        for name in ["new", "other"] { folder.write(.local, name, 50) }
        folder.answer = { effect in
            guard case .checkEntry(_, let path, _) = effect, "\(path)" == "new" else { return nil }
            return .failed(EffectFailure(.io, "gone bad"))
        }
        try folder.notice(.local, ["new", "other"])
        #expect(try folder.state("other") == .pending && folder.state("new") == nil)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 10)
        #expect(try folder.state("new") == .pending && asked(folder) == 30)
    }
}
