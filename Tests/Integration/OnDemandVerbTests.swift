import Glibc
import RoundelBus
import TestSupport
import Testing

/// The verbs of folders on demand with the real services and a real mount.
@Suite(
    "Verbs of folders on demand",
    .enabled(
        if: access("/dev/fuse", R_OK | W_OK) == 0 && access("/usr/bin/fusermount3", X_OK) == 0 || getenv("CI") != nil,
        "no FUSE"))
final class OnDemandVerbTests {
    private let sync: SyncWorld
    private static let film = String(repeating: "film ", count: 20_000)

    init() throws {
        sync = try SyncWorld(adds: false)
        try Disk.makeDirectories(sync.remote + "/d")
        try sync.writeRemote("film", Self.film)
        try sync.writeRemote("d/note", "note")
        try sync.write("own", "own")
        let outcome = try sync.roundel("add", sync.local, sync.remote, "--on-demand", "--wait")
        guard outcome.status == 0 else { throw Failure("add: \(outcome)") }
    }

    deinit {
        _ = try? RunningProgram(
            ["/usr/bin/fusermount3", "-uqz", "--", sync.local], environment: RunningProgram.inheritedEnvironment
        ).finish()
    }

    /// Where the contents of an item are, as `roundel why --json` prints it.
    private func contents(_ name: String) throws -> String? {
        try sync.roundel("why", "--json", sync.path(name)).output.value(of: "contents")
    }

    private func await(_ name: String, _ place: ContentsPlace) throws {
        try sync.world.until("\(name) is \(place)") { try self.contents(name) == place.rawValue }
    }

    private func read(_ name: String) throws -> String {
        let outcome = try sync.world.installation.run(bytes: "/bin/cat", [Array(sync.path(name).utf8)])
        guard outcome.status == 0 else { throw Failure("\(name): \(outcome.errors)") }
        return outcome.output
    }

    @Test("D2, D3, D5, D9: what the remote has is shown, comes when it is opened, and goes when it is freed")
    func story() throws {
        try self.await("film", .online)
        try self.await("own", .here)
        #expect(try sync.roundel("list").output.contains("on demand"))
        #expect(try sync.roundel("ls", sync.local).output.contains("online  film"))
        #expect(try sync.roundel("status").output.contains("3 bytes here, 100 kB online"))
        #expect(try read("film") == Self.film)
        try self.await("film", .here)
        let freed = try sync.roundel("free", sync.path("film"))
        #expect(freed.status == 0 && freed.output == "1 file was freed (100 kB).\n", "\(freed)")
        try self.await("film", .online)
        let fetched = try sync.roundel("fetch", sync.local)
        #expect(fetched.status == 0 && fetched.output == "2 files were downloaded (100 kB).\n", "\(fetched)")
        #expect(try read("film") == Self.film && read("d/note") == "note")
        #expect(try sync.remoteTexts() == ["film": Self.film, "d/note": "note", "own": "own"])
    }

    @Test("D5: what is pinned comes, stays, and says why; when it is no longer, it goes")
    func pinning() throws {
        #expect(try sync.roundel("pin", sync.path("d")).status == 0)
        try self.await("d/note", .here)
        let refused = try sync.roundel("free", sync.path("d/note"))
        #expect(refused.status == 1 && refused.errors.contains("always kept"), "\(refused)")
        #expect(try sync.roundel("badge", sync.path("d/note")).output.contains("pinned"))
        #expect(try sync.roundel("unpin", sync.path("d")).status == 0)
        let freed = try sync.roundel("free", sync.path("d"))
        #expect(freed.status == 0, "\(freed)")
        try self.await("d", .online)
    }

    @Test("A folder on demand becomes a plain one and back, and a rule is kept")
    func turning() throws {
        let ruled = try sync.roundel("on-demand", sync.local, "--free-unused", "30", "--json")
        #expect(ruled.status == 0 && ruled.output.value(of: "free_unused") == "2592000", "\(ruled)")
        let off = try sync.roundel("on-demand", sync.local, "--off")
        #expect(off.status == 0 && off.output.contains("is not on demand"), "\(off)")
        #expect(try sync.localTexts() == ["film": Self.film, "d/note": "note", "own": "own"])
        let again = try sync.roundel("on-demand", sync.local)
        #expect(again.status == 0 && again.output.contains("is on demand"), "\(again)")
        try self.await("film", .here)
        #expect(try read("film") == Self.film)
    }

    @Test("A folder is removed with what is on the remote only, if that is agreed to")
    func removal() throws {
        try self.await("film", .online)
        let refused = try sync.roundel("remove", sync.local)
        #expect(refused.status == 1 && refused.errors.contains("--drop-placeholders"), "\(refused)")
        let removed = try sync.roundel("remove", "--drop-placeholders", sync.local)
        #expect(removed.status == 0, "\(removed)")
        #expect(try sync.localTexts() == ["own": "own"])
        #expect(try sync.remoteTexts() == ["film": Self.film, "d/note": "note", "own": "own"])
    }

    @Test("D14: nothing is wrong with a folder whose contents are on the remote")
    func problems() throws {
        let outcome = try sync.roundel("problems")
        #expect(outcome.status == 0 && outcome.output == "There are no problems.\n", "\(outcome)")
    }
}
