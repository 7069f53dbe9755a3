import DBus
import RoundelBus
import TestSupport
import Testing

/// The buttons of the worker's notices, pressed by a program that has kept an old one.
@Suite struct WorkerNoticeTests {
    /// Presses “Keep Both” of the conflict of an item; gives the name of the error that it is refused with.
    private func keepBoth(_ number: Int, _ sync: SyncWorld, _ bus: Connection) throws -> String? {
        try press("keep-both:\(number)", sync, bus)
    }

    /// Presses a button; gives the name of the error that it is refused with.
    private func press(_ action: String, _ sync: SyncWorld, _ bus: Connection) throws -> String? {
        do {
            _ = try sync.world.call(
                bus, Names.worker, Names.workerPath, Names.provider, "Activate",
                [.string(action), .string(uri(sync.local)), .strings([]), .map([:])])
            return nil
        } catch let error as DBusError {
            return shortName(error)
        }
    }

    @Test("D7: “Keep Both” decides a conflict that stands, and does nothing to one that is decided")
    func keepBoth() throws {
        let sync = try SyncWorld(files: ["a.txt": "base", "b.txt": "b"])
        let bus = try sync.world.connect()
        // More than there are items.
        let numbers = 1...20
        try sync.makeConflict("a.txt")
        let decided = try sync.roundel("resolve", sync.path("a.txt"), "mine")
        #expect(decided.status == 0)
        try sync.world.until("it is decided") { try sync.remoteTexts() == ["a.txt": "mine", "b.txt": "b"] }
        for number in numbers { #expect(try keepBoth(number, sync, bus) == "ProviderFailed", "item \(number)") }
        #expect(try sync.sync().status == 0)
        #expect(try sync.localTexts() == ["a.txt": "mine", "b.txt": "b"])
        try sync.write("a.txt", "base")
        #expect(try sync.sync().status == 0)
        try sync.makeConflict("a.txt")
        let pressed = try numbers.first { try keepBoth($0, sync, bus) == nil }
        #expect(pressed != nil)
        try sync.world.until("both are kept") { try sync.sync().status == 0 }
        #expect(try sync.localTexts().values.sorted() == ["b", "mine", "theirs"])
        #expect(try sync.remoteTexts().values.sorted() == ["b", "mine", "theirs"])
    }

    @Test("“Delete 26 Items” deletes them, and nothing if there are more, or others, or if it names no number")
    func confirmDeletions() throws {
        let sync = try SyncWorld(files: SyncWorld.heldTogether)
        try sync.deleteTogether(isLocal: true)
        #expect(try sync.sync().needs == "confirm-deletes")
        let bus = try sync.world.connect()
        for asked in ["", ".25-remote", ".26-local", ".many-remote"] {
            #expect(try press("confirm-deletes" + asked, sync, bus) == "ProviderFailed", "\(asked)")
        }
        #expect(try sync.sync().needs == "confirm-deletes")
        #expect(try sync.remoteTexts().count == 30)
        #expect(try press("confirm-deletes.26-remote", sync, bus) == nil)
        try sync.world.until("they are deleted") { try sync.remoteTexts().count == 5 }
    }
}
