import SimulatedWorld
import SyncCore
import Testing

/// What goes on while everything on a side is listed, and directories that are listed in pages.
@Suite("Scans")
struct ScanTests {
    /// A folder with so many directories, a file in each.
    private static func folder(directories: Int) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        for number in 10..<(10 + directories) { folder.write(.local, "d\(number)/a", 1) }
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    private static func isListing(_ effect: Effect, on side: Side? = nil) -> Bool {
        guard case .listDirectory(let listed, _, _) = effect else { return false }
        return side == nil || side == listed
    }

    private static func isRemoval(_ effect: Effect) -> Bool {
        if case .remove = effect { true } else { false }
    }

    @Test("an edit is synced before the scan of the other side ends", arguments: Side.allCases)
    func editDuringScan(_ scanned: Side) throws {
        var folder = try Self.folder(directories: 40)
        try folder.overflow(scanned, untilListed: 6)
        folder.write(.local, "d20/a", 2)
        try folder.notice(.local, ["d20/a"])
        let published = try #require(folder.effects.firstIndex { if case .publish = $0 { true } else { false } })
        let last = try #require(folder.effects.lastIndex { Self.isListing($0) })
        #expect(published < last - 10)
        #expect(folder.contents(.remote)["d20/a"] == 2)
        #expect(folder.count { Self.isListing($0) } == 41)
    }

    @Test("a new directory with a file is synced before the scan ends")
    func newDirectoryDuringScan() throws {
        var folder = try Self.folder(directories: 40)
        try folder.overflow(.remote, untilListed: 6)
        folder.makeDirectory(.local, "new")
        try folder.notice(.local, ["new"])
        let made = try #require(folder.effects.firstIndex { if case .makeDirectory = $0 { true } else { false } })
        let last = try #require(folder.effects.lastIndex { Self.isListing($0) })
        #expect(made < last)
        #expect(folder.contents(.remote)["new"] == 0)
    }

    @Test("D6: what changed on both sides is a conflict also while a scan goes on")
    func conflictDuringScan() throws {
        var folder = try Self.folder(directories: 40)
        folder.write(.remote, "d20/a", 3)
        try folder.overflow(.remote, untilListed: 6)
        folder.write(.local, "d20/a", 2)
        try folder.notice(.local, ["d20/a"])
        #expect(folder.contents(.local)["d20/a"] == 3)
        #expect(folder.contents(.local).values.contains(2))
        // Neither version was put in the place of the other before.
        #expect(folder.count { if case .stage = $0 { true } else { false } } == 2)
    }

    @Test("changes that were lost on one side have that side listed alone", arguments: Side.allCases)
    func oneSideAlone(_ side: Side) throws {
        var folder = try Self.folder(directories: 5)
        try folder.overflow(side, untilListed: .max)
        #expect(folder.count { Self.isListing($0, on: side) } == 6)
        #expect(folder.count { Self.isListing($0, on: side.other) } == 0)
    }

    @Test("an unknown directory has the nearest known one looked at, not all that is below")
    func unknownDirectory() throws {
        var folder = try Self.folder(directories: 5)
        try folder.notice(.remote, ["nowhere/b/c"])
        #expect(folder.effects.count { Self.isListing($0) } == 1)
        folder.write(.local, "n/b/c", 7)
        try folder.notice(.local, ["n/b/c"])
        #expect(folder.contents(.remote)["n/b/c"] == 7)
    }

    @Test("what the engine keeps for itself has nothing looked at")
    func ownArea() throws {
        var folder = try Self.folder(directories: 2)
        try folder.notice(.remote, [".roundel/folder/replaced/1234", ".roundel/folder/staging", ".roundel"])
        #expect(folder.effects.isEmpty)
    }

    // MARK: Pages

    /// A folder whose one directory holds the files `a` to `i`, two of which are listed at once.
    private static func paged() throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        folder.pageSize = 2
        for (number, name) in "abcdefghi".enumerated() { folder.write(.local, "d/\(name)", number + 1) }
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    @Test("a directory is listed in pages, and what is gone from it is deleted")
    func pages() throws {
        var folder = try Self.paged()
        folder.delete(.local, "d/c")
        try folder.overflow(.local, untilListed: .max)
        try folder.pass(seconds: 10)
        #expect(folder.count { Self.isListing($0) } == 5)
        #expect(folder.contents(.remote).keys.sorted() == folder.contents(.local).keys.sorted())
        #expect(folder.contents(.remote)["d/c"] == nil && folder.contents(.remote).count == 9)
    }

    @Test("D6: what is created between two pages is not missing, although none of them holds it")
    func createdBetweenPages() throws {
        var folder = try Self.paged()
        try folder.overflow(.local, untilListed: 2)
        folder.write(.local, "d/h2", 20)
        try folder.notice(.local, ["d/h2"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(.local)["d/h2"] == 20 && folder.contents(.remote)["d/h2"] == 20)
        #expect(folder.count(Self.isRemoval) == 0)
    }

    @Test("D6: what was gone when its page was listed, and is written again before the last one, is not missing")
    func writtenAgainBetweenPages() throws {
        var folder = try Self.paged()
        folder.delete(.local, "d/a")
        try folder.overflow(.local, untilListed: 3)
        folder.write(.local, "d/a", 20)
        try folder.notice(.local, ["d/a"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(.local)["d/a"] == 20 && folder.contents(.remote)["d/a"] == 20)
        #expect(folder.count(Self.isRemoval) == 0)
    }

    @Test("what comes from the other side between two pages is not missing")
    func receivedBetweenPages() throws {
        var folder = try Self.paged()
        try folder.overflow(.local, untilListed: 2)
        folder.write(.remote, "d/h2", 20)
        try folder.notice(.remote, ["d/h2"])
        try folder.pass(seconds: 10)
        #expect(folder.contents(.local)["d/h2"] == 20 && folder.contents(.remote)["d/h2"] == 20)
        #expect(folder.count(Self.isRemoval) == 0)
    }

    @Test("what is deleted between two pages is deleted on the other side")
    func deletedBetweenPages() throws {
        var folder = try Self.paged()
        try folder.overflow(.local, untilListed: 2)
        folder.delete(.local, "d/h")
        try folder.finish()
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote)["d/h"] == nil && folder.contents(.remote).count == 9)
    }

    @Test("D5: pages that are not followed by the last one are no evidence of a deletion")
    func interrupted() throws {
        var folder = try Self.paged()
        folder.delete(.local, "d/a")
        folder.answer = { effect in
            guard case .listDirectory(.local, _, let part) = effect, part.after?.description == "e"
            else { return nil }
            return .failed(EffectFailure(.io, "broken"))
        }
        try folder.overflow(.local, untilListed: .max)
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote)["d/a"] == 1)
        #expect(try folder.state("d") == .error)
        folder.answer = { _ in nil }
        try folder.pass(seconds: 40)
        #expect(folder.contents(.remote)["d/a"] == nil)
    }

    @Test("D1: a rename from one page to another costs no transfer", arguments: [("a", "z"), ("i", "A")])
    func renamedAcrossPages(_ names: (from: String, to: String)) throws {
        var folder = try Self.paged()
        folder.move(.local, "d/\(names.from)", "d/\(names.to)")
        try folder.overflow(.local, untilListed: .max)
        try folder.pass(seconds: 10)
        #expect(folder.contents(.remote).keys.sorted() == folder.contents(.local).keys.sorted())
        #expect(folder.count { if case .stage = $0 { true } else { false } } == 0)
    }
}
