import DBus
import RoundelBus
import TestSupport
import Testing

/// The command line with two engines: the bundled one, which offers all that there is, and a second one with folders and
/// conflicts alone.
@Suite struct EngineTests {
    private let sync: SyncWorld
    private let sample: String
    private let provider: RunningProgram

    init() throws {
        sync = try SyncWorld(files: ["own": "own"])
        sample = try sync.world.makeFolder("Sample")
        try Disk.write(sample + "/letter", "theirs")
        provider = try sync.world.installation.start("sample-provider", [sample])
        try sync.world.host().awaitFolders([uri(sync.local), uri(sample)])
    }

    private func state(_ path: String) throws -> String? {
        try sync.roundel("status", path, "--json").output.value(of: "state")
    }

    private func end() { provider.kill() }

    @Test("Status, list, pause and resume speak to the engine that owns the folder, and without a path to every one")
    func folders() throws {
        defer { end() }
        let listed = try sync.roundel("list").output
        #expect(listed.contains(sample) && listed.contains(sync.local))
        let letter = sample + "/letter"
        #expect(try state(letter) == "synced")
        #expect(try sync.roundel("pause", letter).status == 0)
        #expect(try state(sample) == "paused" && state(sync.local) == "synced")
        #expect(try sync.roundel("status").output.contains(sample))
        #expect(try sync.roundel("resume", sample).status == 0)
        #expect(try state(sample) == "synced")
        #expect(try sync.roundel("pause").status == 0)
        #expect(try state(sample) == "paused" && state(sync.local) == "paused")
        #expect(try sync.roundel("resume").status == 0)
        #expect(try state(sample) == "synced")
    }

    @Test("Conflicts are listed by the engine that owns the item, and without a path by every one")
    func conflicts() throws {
        defer { end() }
        #expect(try sync.roundel("conflicts").status == 0)
        try Disk.write(sample + "/letter (conflict)", "mine")
        for arguments in [["conflicts"], ["conflicts", sample + "/letter"]] {
            let found = try sync.world.installation.run("roundel", arguments)
            #expect(found.status == 2 && found.output.contains(sample + "/letter (conflict)"), "\(found)")
        }
        #expect(try sync.roundel("conflicts", sync.local).status == 0)
        #expect(try state(sample) == "conflict")
    }

    @Test(
        "What an engine does not offer is said in words",
        arguments: [
            (["trash", "restore"], [], "Sample does not keep deleted or replaced files."),
            (["trash", "delete"], [], "Sample does not keep deleted or replaced files."),
            (["verify"], [], "Sample cannot compare both sides of its folders."),
            (["limit"], [], "Sample has no settings for its use of the network."),
            (["login"], [], "Sample does not log in through Roundel."),
            (["sync"], [], "Sample cannot do this."), (["sync", "--wait"], [], "Sample cannot do this."),
            (["resolve"], ["mine"], "Sample cannot do this."), (["exclude"], ["*.o"], "Sample cannot do this."),
            (["fetch"], [], "Sample keeps the contents of all its files on this computer."),
            (["pin"], [], "Sample keeps the contents of all its files on this computer."),
            (["on-demand"], [], "Sample keeps the contents of all its files on this computer."),
            (["problems"], [], "Sample cannot do this."),
        ])
    func missing(verb: [String], more: [String], sentence: String) throws {
        defer { end() }
        let outcome = try sync.world.installation.run("roundel", verb + [sample + "/letter"] + more)
        #expect(outcome.status == 1 && outcome.errors == "roundel: \(sentence)\n", "\(outcome)")
    }

    @Test("The list of kept versions says which engine keeps none, and the others do what an engine cannot")
    func everyEngine() throws {
        defer { end() }
        let trash = try sync.roundel("trash")
        #expect(trash.status == 0 && trash.output == "There is nothing to restore.\n")
        #expect(trash.errors == "roundel: Sample does not keep deleted or replaced files.\n")
        try sync.write("new", "new")
        #expect(try sync.roundel("sync", "--wait").status == 0)
        #expect(try sync.remoteTree() == sync.localTree())
        #expect(try sync.roundel("verify").status == 0)
    }

    @Test("A worker that does not run does not hinder another engine's folders")
    func withoutWorker() throws {
        defer { end() }
        sync.killWorker()
        #expect(try sync.roundel("pause", sample).status == 0)
        try Disk.write(sample + "/letter (conflict)", "mine")
        #expect(try sync.roundel("conflicts").status == 2)
        #expect(try state(sample) == "paused")
    }
}
