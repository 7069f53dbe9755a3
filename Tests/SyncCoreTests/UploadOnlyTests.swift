import SimulatedWorld
import SyncCore
import Testing

/// A folder from which items are only uploaded.
@Suite("Upload-only folders")
struct UploadOnlyTests {
    /// Something of others is at the remote.
    private func box(_ uploads: SimulatedFolder.Uploads = .kept) -> SimulatedFolder {
        var folder = SimulatedFolder(uploads: uploads)
        folder.write(.remote, "theirs/note", 90)
        folder.write(.remote, "letter", 91)
        return folder
    }

    /// Effects that look at anything of the remote.
    private func looks(_ folder: SimulatedFolder) -> Int {
        folder.count { effect in
            effect.footprint.spots.contains { spot in
                switch spot.touch {
                case .look, .list, .read: spot.side == .remote
                case .stage, .make, .replace, .setPermissions, .fill, .describe, .leave, .arrive, .setAside, .remove,
                    .discard:
                    false
                }
            }
        }
    }

    private func copies(_ folder: SimulatedFolder, of name: String) -> [String: Int] {
        folder.contents(.remote).filter { $0.key.hasPrefix("\(name) (conflict ") }
    }

    @Test("D11: what is put in goes up; nothing of the remote is looked at, and nothing of it comes here")
    func goesUp() throws {
        var folder = box()
        folder.write(.local, "mine/report", 1)
        folder.makeDirectory(.local, "empty")
        try folder.sync()
        try folder.notice(.remote, ["theirs/note", "letter"])
        try folder.overflow(.remote, untilListed: 1)
        try folder.sync()
        #expect(folder.contents(.local) == ["mine": 0, "mine/report": 1, "empty": 0])
        #expect(
            folder.contents(.remote)
                == ["theirs": 0, "theirs/note": 90, "letter": 91, "mine": 0, "mine/report": 1, "empty": 0])
        #expect(looks(folder) == 0)
        #expect(try folder.state("mine/report") == .synced)
    }

    @Test("D11: a second run does nothing, after a restart as well")
    func silent() throws {
        var folder = box()
        folder.write(.local, "mine/report", 1)
        folder.write(.local, "letter", 2)
        try folder.sync()
        try folder.pass(seconds: 10)
        folder.forgetEffects()
        try folder.sync()
        try folder.restart()
        #expect(folder.mutations == 0 && looks(folder) == 0)
    }

    @Test("D11: a name that others have is never replaced; the item goes beside it and keeps its name here")
    func taken() throws {
        var folder = box()
        folder.write(.local, "letter", 1)
        folder.write(.local, "theirs/mine", 2)
        try folder.sync()
        #expect(folder.contents(.remote)["letter"] == 91 && folder.contents(.remote)["theirs/note"] == 90)
        #expect(folder.contents(.remote).filter { $0.key.hasPrefix("theirs/") }.count == 1)
        #expect(copies(folder, of: "letter").values.sorted() == [1])
        #expect(copies(folder, of: "theirs").values.sorted() == [0, 2])
        #expect(folder.contents(.local) == ["letter": 1, "theirs": 0, "theirs/mine": 2])
        // It was transferred once.
        #expect(folder.count { $0.footprint.has(.stage) } == 2)
        // The next version replaces exactly that one.
        folder.write(.local, "letter", 3)
        try folder.sync()
        #expect(copies(folder, of: "letter").values.sorted() == [3])
    }

    @Test("D11: an edit replaces the version that was put there, and goes beside it if others wrote it")
    func edited() throws {
        var folder = box()
        folder.write(.local, "report", 1)
        try folder.sync()
        folder.write(.local, "report", 2)
        try folder.sync()
        #expect(folder.contents(.remote)["report"] == 2 && copies(folder, of: "report").isEmpty)
        folder.write(.remote, "report", 92)
        folder.write(.local, "report", 3)
        try folder.sync()
        #expect(folder.contents(.remote)["report"] == 92)
        #expect(copies(folder, of: "report").values.sorted() == [3])
        #expect(folder.contents(.local) == ["report": 3] && looks(folder) == 0)
    }

    @Test("D11: what is deleted here stays there, however much it is, and nobody is asked")
    func deleted() throws {
        var folder = box()
        for number in 1...40 { folder.write(.local, "many/\(number)", number) }
        try folder.sync()
        folder.delete(.local, "many")
        try folder.sync()
        #expect(folder.contents(.remote).keys.filter { $0.hasPrefix("many/") }.count == 40)
        #expect(folder.status?.phase == .idle && folder.contents(.local).isEmpty)
        // What has the name of a delivered item is another one.
        folder.write(.local, "many", 99)
        try folder.sync()
        #expect(copies(folder, of: "many").values.sorted() == [99])
    }

    @Test("D11: what others took is delivered, and not brought again")
    func takenAway() throws {
        var folder = box()
        folder.write(.local, "box/one", 1)
        folder.write(.local, "box/two", 2)
        try folder.sync()
        folder.delete(.remote, "box")
        try folder.sync()
        try folder.restart()
        #expect(folder.contents(.remote)["box"] == nil)
        #expect(folder.contents(.local) == ["box": 0, "box/one": 1, "box/two": 2])
        // What is new comes to a new directory, and what changed is new.
        folder.write(.local, "box/three", 3)
        folder.write(.local, "box/two", 4)
        try folder.sync()
        #expect(
            folder.contents(.remote).filter { $0.key.hasPrefix("box") } == ["box": 0, "box/three": 3, "box/two": 4])
    }

    @Test("D11: a directory that others take goes up anew, however much was on its way and however often they take it")
    func takenAgainAndAgain() throws {
        var folder = box()
        let names = (0..<40).map { "box/\($0)" }
        for round in 1...20 {
            for name in names { folder.write(.local, name, round) }
            try folder.sync()
            let there = folder.contents(.remote)
            #expect(names.allSatisfy { there[$0] == round })
            folder.delete(.remote, "box")
        }
        #expect(copies(folder, of: "box").isEmpty)
    }

    @Test("D11: a move here moves it there without a transfer, a directory with everything in it")
    func moved() throws {
        var folder = box()
        folder.write(.local, "New Folder/report", 1)
        folder.write(.local, "b", 2)
        try folder.sync()
        folder.forgetEffects()
        folder.move(.local, "New Folder", "Smith")
        folder.move(.local, "b", "Smith/c")
        try folder.sync()
        #expect(folder.contents(.remote)["Smith/report"] == 1 && folder.contents(.remote)["Smith/c"] == 2)
        #expect(folder.contents(.remote)["New Folder"] == nil && folder.contents(.remote)["b"] == nil)
        #expect(folder.count { $0.footprint.has(.stage) } == 0 && looks(folder) == 0)
        // What others wrote since is not moved.
        folder.write(.remote, "Smith/c", 93)
        folder.move(.local, "Smith/c", "d")
        try folder.sync()
        #expect(folder.contents(.remote)["Smith/c"] == 93 && folder.contents(.remote)["d"] == 2)
    }

    @Test("D11: names that change in a row, or in a ring, cost no transfer and replace nothing")
    func rotated() throws {
        var folder = box()
        for (name, content) in [("log", 1), ("log.1", 2), ("log.2", 3), ("x", 4), ("y", 5)] {
            folder.write(.local, name, content)
        }
        try folder.sync()
        folder.forgetEffects()
        for (from, to) in [
            ("log.2", "log.3"), ("log.1", "log.2"), ("log", "log.1"), ("x", "z"), ("y", "x"), ("z", "y"),
        ] {
            folder.move(.local, from, to)
        }
        try folder.sync()
        let there = folder.contents(.remote)
        #expect(there["log.1"] == 1 && there["log.2"] == 2 && there["log.3"] == 3 && there["log"] == nil)
        #expect(Set(there.values).isSuperset(of: [4, 5]) && folder.count { $0.footprint.has(.stage) } == 0)
        #expect(try folder.reasons().isEmpty)
    }

    @Test("D11: a lost database deletes and replaces nothing: everything goes up again beside what is there")
    func lostDatabase() throws {
        var folder = box()
        folder.write(.local, "mine/report", 1)
        try folder.sync()
        folder.store.lose()
        try folder.restart()
        #expect(folder.contents(.remote)["mine/report"] == 1)
        #expect(copies(folder, of: "mine").values.sorted() == [0, 1])
        #expect(folder.contents(.local) == ["mine": 0, "mine/report": 1])
    }

    @Test("D11: a root that is gone takes nothing for gone")
    func rootAway() throws {
        var folder = box()
        folder.write(.local, "mine/report", 1)
        try folder.sync()
        folder.loseRoot(.remote)
        folder.write(.local, "mine/report", 2)
        folder.write(.local, "mine/new", 3)
        try folder.notice(.local, ["mine/report", "mine/new"])
        #expect(folder.status?.stopReason == .remoteMissing)
        let isUntouched = folder.bringRootBack(.remote)
        #expect(isUntouched)
        try folder.sync()
        #expect(
            folder.contents(.remote).filter { $0.key.hasPrefix("mine") } == [
                "mine": 0, "mine/report": 2, "mine/new": 3,
            ])
    }

    @Test("D11: what could not be made durable is not published, for whatever reason it could not")
    func barrier() throws {
        for reason in [EffectFailure.Reason.exists, .changed, .notFound] {
            var folder = box()
            var left = 1
            folder.answer = { effect in
                guard case .syncContents(.remote, _) = effect, left > 0 else { return nil }
                left -= 1
                return .failed(EffectFailure(reason))
            }
            folder.write(.local, "report", 1)
            try folder.sync()
            try folder.pass(seconds: 10)
            folder.cutPower()
            #expect(folder.contents(.remote)["report"] == 1)
        }
    }

    @Test("D11: with that choice a file goes to the trash once it is uploaded, if it was not written since")
    func trashed() throws {
        var folder = box(.trashed)
        folder.write(.local, "report", 1)
        folder.write(.local, "letter", 2)
        folder.isHeld = { if case .remove = $0 { true } else { false } }
        try folder.sync()
        folder.write(.local, "report", 3)
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.sync()
        #expect(folder.contents(.local).isEmpty && folder.kept == [2, 3])
        #expect(folder.contents(.remote)["report"] == 3 && folder.contents(.remote)["letter"] == 91)
        #expect(copies(folder, of: "letter").values.sorted() == [2])
    }

    @Test("A folder that is synced from now on deletes nothing of what others took")
    func syncedLater() throws {
        var folder = box()
        folder.write(.local, "one", 1)
        try folder.sync()
        folder.delete(.remote, "one")
        try folder.restart(isUploadOnly: false)
        #expect(folder.contents(.local) == ["one": 1, "theirs": 0, "theirs/note": 90, "letter": 91])
        try folder.restart(isUploadOnly: true)
        #expect(folder.contents(.local).count == 4)
    }
}
