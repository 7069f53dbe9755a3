import SimulatedWorld
import SyncCore
import TestSupport
import Testing

/// What somebody wants done once, now, with contents.
@Suite("Demands") struct DemandTests {
    private static func isStage(_ effect: Effect) -> Bool { effect.footprint.has(.stage) }
    private static func isFree(_ effect: Effect) -> Bool {
        if case .free = effect { true } else { false }
    }

    /// A folder on demand at rest, in which these files of the remote are placeholders.
    private func described(_ files: [String: Int]) throws -> SimulatedFolder {
        var folder = SimulatedFolder(isOnDemand: true)
        folder.pace = 1_000_000
        for (path, content) in files.sorted(by: { $0.key < $1.key }) { folder.write(.remote, path, content) }
        try rest(&folder)
        folder.forgetEffects()
        return folder
    }

    private func rest(_ folder: inout SimulatedFolder) throws {
        try folder.sync()
        try folder.pass(seconds: 10)
        try folder.sync()
    }

    private func failure(_ folder: SimulatedFolder, _ id: DemandID) -> DemandFailure.Reason? {
        guard case .failed(let failure) = folder.end(of: id) else { return nil }
        return failure.reason
    }

    // MARK: Here

    @Test("D3: a file that is opened comes, alone, and the demand ends once")
    func opened() throws {
        var folder = try described(["a": 1, "b": 2])
        let id = try folder.demand(.here, "a", isOpening: true)
        #expect(folder.end(of: id) == .done && folder.placeholders == ["b"] && folder.count(Self.isStage) == 1)
        let ends = (folder.demandReports[id] ?? []).filter { if case .ended = $0 { true } else { false } }
        #expect(ends.count == 1)
        try folder.sync()
        #expect(folder.placeholders == ["b"] && folder.status?.state == .synced)
    }

    @Test("what is here already is done at once")
    func already() throws {
        var folder = try described(["a": 1])
        try folder.demand(.here, "a")
        folder.forgetEffects()
        let again = try folder.demand(.here, "a")
        #expect(folder.end(of: again) == .done && folder.mutations == 0)
    }

    @Test("D3: two demands for one file are one transfer, also if one of them is withdrawn")
    func shared() throws {
        var folder = try described(["a": 1])
        folder.isHeld = Self.isStage
        let ids = try (0..<3).map { try folder.demand(.here, "a", isOpening: $0 == 2) }
        try folder.command(.withdraw(ids[1]))
        #expect(folder.end(of: ids[1]) == .withdrawn && folder.end(of: ids[0]) == nil)
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.end(of: ids[0]) == .done && folder.end(of: ids[2]) == .done)
        #expect(folder.count(Self.isStage) == 1)
    }

    @Test("what nobody wants any more is not filled, and its transfer is abandoned")
    func withdrawn() throws {
        var folder = try described(["a": 1])
        folder.isHeld = Self.isStage
        let id = try folder.demand(.here, "a")
        try folder.command(.withdraw(id))
        #expect(folder.abandoned.count == 1)
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.sync()
        #expect(folder.placeholders == ["a"] && folder.status?.state == .onlineOnly)
    }

    @Test("D9: all that is in a directory comes, and it is told how far it is")
    func directory() throws {
        var files = Dictionary(uniqueKeysWithValues: (1...600).map { ("d/\($0 % 7)/\($0)", $0) })
        files["e"] = 1_000
        var folder = try described(files)
        let id = try folder.demand(.here, "d")
        #expect(folder.end(of: id) == .done && folder.placeholders == ["e"])
        let progress = try #require(folder.progress(of: id))
        #expect(progress.filesDone == 600 && progress.files == 600 && progress.bytesDone == 600 * 601 / 2)
        #expect(progress.bytes == progress.bytesDone && progress.filesFailed == 0)
    }

    @Test("of a directory no more than some hundred files are under way at a time")
    func window() throws {
        var folder = try described(Dictionary(uniqueKeysWithValues: (1...2_000).map { ("d/\($0)", 1) }))
        folder.isHeld = Self.isStage
        try folder.demand(.here, "d")
        #expect(folder.pendingCount > 0 && folder.pendingCount <= 256)
    }

    @Test("what is opened goes before a directory that is fetched, and before everything else")
    func order() throws {
        var folder = try described(Dictionary(uniqueKeysWithValues: (1...300).map { ("d/\($0)", 1) } + [("a", 2)]))
        folder.isHeld = Self.isStage
        try folder.demand(.here, "d")
        for number in 1...100 { folder.write(.local, "new/\(number)", 5_000 + number) }
        try folder.sync()
        let id = try folder.demand(.here, "a", isOpening: true)
        folder.isHeld = { Self.isStage($0) && !$0.footprint.spots.contains { $0.path.description == "a" } }
        try folder.finish()
        #expect(folder.end(of: id) == .done, "nothing that waits holds it up")
        #expect(folder.hastened > 0)
    }

    @Test("the version comes that the remote has now, and nobody sees one's size with the other's contents")
    func changedThere() throws {
        var folder = try described(["a": 1])
        folder.write(.remote, "a", 7)
        try folder.pass(seconds: 10)
        let first = try folder.demand(.here, "a", isOpening: true)
        #expect(folder.end(of: first) == .done && folder.contents(.local)["a"] == 7)
        let fills = folder.effects.filter { $0.footprint.has(.fill) }
        let describes = folder.effects.filter { $0.footprint.has(.describe) }
        #expect(fills.count == 1 && describes.count == 1)
    }

    @Test(
        "what fails is told with its reason, and the item is what it was",
        arguments: [
            (EffectFailure.Reason.denied, DemandFailure.Reason.denied), (.noSpace, .noSpace), (.io, .failed),
            (.putOff, .failed), (.unreachable, .offline), (.notMounted, .offline), (.nameClash, .failed),
            (.changed, .unsteady), (.busy, .inUse),
        ])
    func failed(reason: EffectFailure.Reason, told: DemandFailure.Reason) throws {
        var folder = try described(["a": 1])
        folder.answer = {
            Self.isStage($0) ? .failed(EffectFailure(reason, Explanation(.failed, .remote, "a", "5"))) : nil
        }
        let id = try folder.demand(.here, "a", isOpening: true)
        try folder.pass(seconds: 20)
        #expect(failure(folder, id) == told)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 60)
        try folder.sync()
        #expect(folder.placeholders == ["a"] && folder.status?.state == .onlineOnly)
        let again = try folder.demand(.here, "a", isOpening: true)
        #expect(folder.end(of: again) == .done)
    }

    @Test("what failed for a demand is in error only if it is wanted besides")
    func wantedBesides() throws {
        var folder = try described(["a": 1, "b": 2])
        folder.answer = {
            Self.isStage($0) ? .failed(EffectFailure(.io, Explanation(.failed, .remote, "a", "5"))) : nil
        }
        try folder.want(.alwaysHere, "b")
        let ids = try ["a", "b"].map { try folder.demand(.here, $0) }
        #expect(ids.allSatisfy { failure(folder, $0) == .failed })
        #expect(try folder.state("a") == .onlineOnly)
        #expect(try folder.state("b") == .error)
    }

    @Test("a file that goes away while it is awaited ends the demand as gone")
    func gone() throws {
        var folder = try described(["a": 1, "b": 2])
        folder.isHeld = Self.isStage
        let id = try folder.demand(.here, "a", isOpening: true)
        folder.delete(.local, "a")
        try folder.notice(.local, ["a"])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect(failure(folder, id) == .gone)
        #expect(folder.contents(.remote) == ["b": 2])
    }

    @Test("a demand that needs more room than there is ends before anything is begun")
    func room() throws {
        var folder = try described(["d/a": 10, "d/b": 20])
        let id = try folder.demand(.here, "d", room: 29)
        #expect(failure(folder, id) == .noSpace && folder.mutations == 0)
        let fits = try folder.demand(.here, "d", room: 30)
        #expect(folder.end(of: fits) == .done)
    }

    @Test("while the remote is away a demand ends at once, and the next one finds it back")
    func offline() throws {
        var folder = try described(["a": 1])
        folder.answer = { effect in
            effect.footprint.side == nil || effect.footprint.has(.read)
                ? .failed(EffectFailure(.unreachable, Explanation(.unreachable, .remote, "", "101"))) : nil
        }
        let first = try folder.demand(.here, "a", isOpening: true)
        let second = try folder.demand(.here, "a", isOpening: true)
        #expect(failure(folder, first) == .offline && failure(folder, second) == .offline)
        folder.answer = { _ in nil }
        try folder.demand(.here, "a", isOpening: true)
        let id = try folder.demand(.here, "a", isOpening: true)
        #expect(folder.end(of: id) == .done)
    }

    @Test("a folder that a safeguard stopped brings nothing")
    func held() throws {
        var folder = try described(["a": 1])
        folder.loseRoot(.remote)
        try folder.sync()
        let id = try folder.demand(.here, "a")
        #expect(failure(folder, id) == .held)
    }

    @Test("a paused folder brings what is demanded, and nothing else")
    func paused() throws {
        var folder = try described(["a": 1, "b": 2])
        try folder.command(.pause)
        folder.write(.local, "c", 3)
        try folder.notice(.local, ["c"])
        let opened = try folder.demand(.here, "a", isOpening: true)
        #expect(folder.end(of: opened) == .done && folder.placeholders == ["b"])
        #expect(folder.contents(.remote)["c"] == nil)
        let freed = try folder.demand(.away, "a")
        #expect(folder.end(of: freed) == .done && folder.placeholders == ["a", "b"])
        let waiting = try folder.demand(.away, "c")
        #expect(folder.demandReports[waiting]?.first == .waits(Explanation(.waitsPaused)))
        try folder.command(.resume)
        try folder.pass(seconds: 10)
        #expect(folder.end(of: waiting) == .done && folder.contents(.remote)["c"] == 3)
    }

    @Test("in a paused folder a demand begins nothing that was planned before")
    func pausedBefore() throws {
        var folder = try described(["a": 1])
        folder.isHeld = { Self.isStage($0) && $0.footprint.side == .local }
        for number in 1...60 { folder.write(.local, "u/\(number)", 100 + number) }
        try folder.sync()
        try folder.command(.pause)
        let under = folder.pendingCount
        folder.isHeld = { _ in false }
        let id = try folder.demand(.here, "a", isOpening: true)
        try folder.finish()
        #expect(folder.end(of: id) == .done && folder.count(Self.isStage) == under + 1)
    }

    @Test("a scan of the whole folder does not hold up what is opened")
    func duringScan() throws {
        var folder = try described(Dictionary(uniqueKeysWithValues: (1...40).map { ("d\($0)/a", $0) }))
        folder.isHeld = { if case .listDirectory(_, let path, _) = $0 { path.description == "d7" } else { false } }
        try folder.overflow(.local, untilListed: 3)
        let id = try folder.demand(.here, "d3/a", isOpening: true)
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.end(of: id) == .done)
    }

    // MARK: Away

    @Test("what is to be freed stays so while the remote's file of its name goes to another file system")
    func partedUnsynced() throws {
        var folder = try described([:])
        folder.makeMount(.local)
        try rest(&folder)
        folder.isHeld = Self.isStage
        folder.write(.local, "a", 1)
        try folder.notice(.local, ["a"])
        folder.write(.remote, "a", 2)
        try folder.notice(.remote, ["a"])
        let id = try folder.demand(.away, "a")
        folder.move(.remote, "a", "mount/a")
        try folder.notice(.remote, ["a", "mount/a"])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 20)
        #expect(folder.end(of: id) == .done && folder.placeholders.contains("a"))
        #expect(folder.contents(.remote) == ["a": 1, "mount": 0, "mount/a": 2])
    }

    @Test("D5: a file is freed on demand, alone, and stays so")
    func freed() throws {
        var folder = SimulatedFolder(isOnDemand: true)
        folder.pace = 1_000_000
        for (path, content) in ["a": 1, "b": 2] { folder.write(.local, path, content) }
        try rest(&folder)
        let id = try folder.demand(.away, "a")
        #expect(folder.end(of: id) == .done && folder.placeholders == ["a"])
        #expect(folder.progress(of: id)?.bytesDone == 1)
        try folder.sync()
        #expect(folder.placeholders == ["a"])
    }

    @Test("D5: what is pinned, open or not synced is not freed, and says so")
    func refused() throws {
        var folder = SimulatedFolder(excludes: ["*.skip"], isOnDemand: true)
        folder.pace = 1_000_000
        for path in ["d/pinned", "open", "x.skip"] { folder.write(.local, path, 1) }
        try rest(&folder)
        try folder.want(.alwaysHere, "d")
        folder.open("open")
        let reasons = try ["d/pinned", "open", "x.skip"].map { path in
            let id = try folder.demand(.away, path)
            try folder.pass(seconds: 5)
            return failure(folder, id)
        }
        #expect(reasons == [.pinned, .inUse, .onlyHere])
        #expect(folder.placeholders == [] && folder.count(Self.isFree) == 4)
        folder.open("open", isClosed: true)
        try folder.pass(seconds: 60)
        #expect(folder.placeholders == [], "nobody wants that any more")
    }

    @Test("what a program has open for a moment is freed once it is closed")
    func openForMoment() throws {
        var folder = SimulatedFolder(isOnDemand: true)
        folder.pace = 1_000_000
        for path in ["d/a", "d/b"] { folder.write(.local, path, 1) }
        try rest(&folder)
        folder.open("d/b")
        let id = try folder.demand(.away, "d")
        #expect(folder.end(of: id) == nil && folder.placeholders == ["d/a"])
        folder.open("d/b", isClosed: true)
        try folder.pass(seconds: 3)
        #expect(folder.end(of: id) == .done && folder.placeholders == ["d/a", "d/b"])
    }

    @Test("a directory is freed but for what is pinned in it")
    func partly() throws {
        var folder = SimulatedFolder(isOnDemand: true)
        folder.pace = 1_000_000
        for path in ["d/a", "d/b", "d/c"] { folder.write(.local, path, 1) }
        try rest(&folder)
        try folder.want(.alwaysHere, "d/b")
        let id = try folder.demand(.away, "d")
        #expect(failure(folder, id) == .pinned && folder.placeholders == ["d/a", "d/c"])
        #expect(folder.progress(of: id)?.filesDone == 2 && folder.progress(of: id)?.filesFailed == 1)
    }

    @Test("what was changed is synced first, which is told, and then freed")
    func changedHere() throws {
        var folder = SimulatedFolder(isOnDemand: true)
        folder.pace = 1_000_000
        folder.write(.local, "a", 1)
        try rest(&folder)
        folder.write(.local, "a", 2)
        folder.isHeld = Self.isStage
        try folder.notice(.local, ["a"])
        let id = try folder.demand(.away, "a")
        #expect(folder.demandReports[id]?.contains(.waits(Explanation(.waitsForTurn))) == true)
        #expect(folder.end(of: id) == nil && folder.placeholders == [])
        folder.isHeld = { _ in false }
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect(folder.end(of: id) == .done && folder.placeholders == ["a"] && folder.contents(.remote)["a"] == 2)
    }

    @Test("what cannot be uploaded is not freed, and the demand ends with that")
    func onlyCopy() throws {
        var folder = try described([:])
        folder.answer = { Self.isStage($0) ? .failed(EffectFailure(.denied, Explanation(.denied, .remote, "a"))) : nil }
        folder.write(.local, "a", 1)
        try folder.sync()
        let id = try folder.demand(.away, "a")
        #expect(failure(folder, id) == .denied && folder.placeholders == [])
    }

    @Test("who waits for a file goes before who wants it freed")
    func both() throws {
        var folder = try described(["a": 1])
        folder.isHeld = Self.isStage
        let opened = try folder.demand(.here, "a", isOpening: true)
        let other = try folder.demand(.away, "a")
        #expect(failure(folder, other) == .inUse)
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.end(of: opened) == .done && folder.placeholders == [])
        folder.isHeld = Self.isFree
        let away = try folder.demand(.away, "a")
        let again = try folder.demand(.here, "a", isOpening: true)
        #expect(folder.end(of: again) == nil, "it may have been freed already")
        #expect(failure(folder, away) == .inUse)
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.end(of: again) == .done && folder.placeholders == [])
    }

    @Test("what is fetched from where a wish wants nothing stays for a minute, and then goes once it is closed")
    func wishedAway() throws {
        var folder = try described(["a": 1])
        try folder.want(.remoteAlone, "a")
        let id = try folder.demand(.here, "a", isOpening: true)
        #expect(folder.end(of: id) == .done)
        folder.open("a")
        try folder.pass(seconds: 30)
        #expect(folder.placeholders == [] && folder.count(Self.isFree) == 0)
        #expect(try folder.state("a") == .synced)
        try folder.pass(seconds: 60)
        #expect(folder.placeholders == [] && folder.count(Self.isFree) > 0)
        folder.open("a", isClosed: true)
        try folder.pass(seconds: 60)
        #expect(folder.placeholders == ["a"])
    }

    @Test("what stays for a while is edited and synced like anything")
    func editedWhileKept() throws {
        var folder = try described(["a": 1])
        try folder.want(.remoteAlone, "a")
        try folder.demand(.here, "a")
        folder.write(.local, "a", 5)
        try folder.notice(.local, ["a"])
        try folder.pass(seconds: 5)
        #expect(folder.contents(.remote)["a"] == 5 && folder.placeholders == [])
    }

    @Test("where files are always here, they are, and none is freed")
    func plainFolder() throws {
        var folder = try SimulatedFolder.synced(["a": 1])
        let (here, away) = (try folder.demand(.here, "a"), try folder.demand(.away, "a"))
        #expect(folder.end(of: here) == .done && failure(folder, away) == .unsupported && folder.mutations == 0)
        #expect(try folder.presentation("a")?.contents == nil)
    }

    // MARK: What is shown

    @Test("D9: a directory says whether all is here, some, or nothing, and how much that is")
    func shown() throws {
        var folder = try described(["d/a": 10, "d/e/b": 20, "d/e/c": 30])
        func contents(_ path: String) throws -> ItemContents { try #require(try folder.presentation(path)?.contents) }
        #expect(try contents("d").place == .away && contents("d").bytesAway == 60 && folder.state("d") == .onlineOnly)
        #expect(try contents("").filesAway == 3 && folder.state("") == .onlineOnly)
        try folder.demand(.here, "d/e/b")
        #expect(try contents("d").place == .partly && contents("d/e").filesHere == 1 && folder.state("d") == .synced)
        #expect(try contents("d").bytesHere == 20 && contents("d").bytesAway == 40)
        #expect(try folder.state("d/e/b") == .synced)
        #expect(try folder.state("d/e/c") == .onlineOnly)
        folder.move(.local, "d/e", "e")
        try folder.sync()
        #expect(try contents("d").bytesAway == 10 && contents("e").bytesAway == 30 && contents("e").bytesHere == 20)
        try folder.want(.alwaysHere, "")
        #expect(try contents("").place == .here && contents("e/c").isPinned && folder.state("") == .synced)
        folder.delete(.remote, "e/c")
        try folder.sync()
        #expect(try contents("").filesHere == 2 && contents("").bytesHere == 30)
    }
}
