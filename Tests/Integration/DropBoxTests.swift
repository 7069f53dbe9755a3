import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// An upload-only folder end to end: what a person puts in, and what others do at the remote.
@Suite struct DropBoxTests {
    /// An upload-only folder with these files, at whose remote others put a letter.
    private func box(_ files: [String: String]) throws -> SyncWorld {
        let sync = try SyncWorld(adds: false, files: files)
        try sync.writeRemote("letter", "theirs")
        let options: VariantMap = ["upload-only": .bool(true)]
        _ = try sync.world.call(
            try sync.world.connect(), Names.worker, Names.workerPath, EngineInterface.folders.name, "AddFolder",
            [.string("file://" + sync.local), .string(sync.remote), .map(options)])
        return sync
    }

    /// What is at the remote beside an item, under a name that was made from its own.
    private func beside(_ name: String, _ sync: SyncWorld) throws -> [String] {
        try sync.remoteTexts().filter { $0.key.hasPrefix("\(name) (conflict ") }.values.sorted()
    }

    @Test("D11: what is put in goes up by itself, is shown as synced, and nothing comes from there")
    func putIn() throws {
        let sync = try box(["letter": "mine", "report": "one"])
        try sync.world.until("all is uploaded") {
            try sync.remoteTexts()["report"] == "one" && beside("letter", sync) == ["mine"]
        }
        try sync.write("d/new", "new")
        try sync.world.until("an addition is uploaded") { try sync.remoteTexts()["d/new"] == "new" }
        for name in ["letter", "report", "d/new"] { try sync.awaitBadge(name, "synced") }
        try sync.writeRemote("another", "theirs")
        #expect(try sync.sync().isSilent)
        #expect(try sync.localTexts() == ["letter": "mine", "report": "one", "d/new": "new"])
        #expect(try sync.remoteTexts()["letter"] == "theirs")
        #expect(try sync.roundel("status").output.contains("Everything is uploaded"))
        #expect(try sync.roundel("verify", sync.local).status != 0)
    }

    @Test("D11: what others took stays away, what is deleted here stays there, after a kill as well")
    func delivered() throws {
        let sync = try box(["report": "one", "gone": "two", "kept": "three"])
        try sync.world.until("all is uploaded") { try sync.remoteTexts().count == 4 }
        try sync.sync()
        #expect(unlink(sync.remote + "/report") == 0)
        #expect(unlink(sync.path("gone")) == 0)
        try sync.sync()
        sync.killWorker()
        try sync.write("kept", "four")
        try sync.startWorker()
        try sync.sync()
        #expect(try sync.remoteTexts() == ["letter": "theirs", "gone": "two", "kept": "four"])
        #expect(try sync.localTexts() == ["report": "one", "kept": "four"])
    }
}
