import DBus
import RoundelBus
import StandInSecrets
import StandInServices
import TestSupport
import Testing

@testable import roundel

/// `add` with addresses as people have them, and the numbers of what will happen.
@Suite(.serialized) struct AddressVerbTests {
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private static func found(provisional: Bool = false) -> DBusValue {
        var found = SyncRemote(
            kind: "nextcloud", remote: "webdav+https://me@cloud.example.org/remote.php/dav/files/me/Photos/")
        (found.path, found.server, found.isProvisional) = ("Photos", "https://cloud.example.org", provisional)
        return .map(found.map)
    }

    private static var preview: DBusValue {
        var preview = SyncPreview()
        (preview.downloads, preview.downloadBytes, preview.uploads, preview.uploadBytes) = (3, 5_000, 1, 7)
        (preview.leftHere, preview.same, preview.different, preview.free) = (2, 4, 1, 4_000)
        return .map(preview.map)
    }

    @Test("What was found and what will happen is said, then the folder is added with what was found")
    func address() async throws {
        let worker = try await StandInWorker(
            on: bus,
            [
                "Find": .values([Self.found()]), "Preview": .values([Self.preview]),
                "AddFolder": .values([.string("f1")]),
            ])
        let outcome = try Program.run(
            ["add", "/d/a", "cloud.example.org", "--create", "--only", "2024", "--only", "b c"],
            environment: bus.environment)
        #expect(outcome.status == 0)
        #expect(
            outcome.errors == """
                Found “Photos” on Nextcloud at https://cloud.example.org.
                3 files (5.0 kB) to download.
                1 file (7 bytes) to upload.
                4 files have the same names on both sides, and are compared.
                1 of the same name differs: both versions are kept, until you choose one.
                2 items on this computer are not synced, and stay as they are.
                This computer has only 4.0 kB free.

                """)
        #expect(outcome.output.contains("now syncs with"))
        let remote = "webdav+https://me@cloud.example.org/remote.php/dav/files/me/Photos/"
        let options: VariantMap = ["create": .bool(true), "only": .strings(["2024", "b c"])]
        #expect(worker.calls.map { $0[0] } == [.string("Find"), .string("Preview"), .string("AddFolder")])
        #expect(worker.calls[0][1] == .string("cloud.example.org"))
        #expect(worker.calls[2] == [.string("AddFolder"), .string("file:///d/a"), .string(remote), .map(options)])
    }

    @Test("With --dry-run nothing is added")
    func dryRun() async throws {
        let worker = try await StandInWorker(on: bus, ["Preview": .values([Self.preview])])
        let outcome = try Program.run(["add", "/d/a", "/r", "--dry-run"], environment: bus.environment)
        #expect(outcome.status == 0 && outcome.output.hasPrefix("3 files (5.0 kB) to download.\n"))
        let json = try Program.run(["add", "/d/a", "/r", "--dry-run", "--json"], environment: bus.environment)
        #expect(
            json.output.hasPrefix(#"{"remote":"file:///r","files_here":0,"#) && json.output.contains(#""uploads":1"#))
        worker.answer("Preview", .error("FolderTaken", "It is synced already."))
        let refused = try Program.run(["add", "/d/a", "/r", "--dry-run"], environment: bus.environment)
        #expect(refused.status == 1 && refused.errors == "roundel: It is synced already.\n")
        #expect(worker.calls.allSatisfy { $0[0] == .string("Preview") })
    }

    @Test("Whose files are meant is found once more after the login")
    func provisional() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await StandInWorker(
            on: bus,
            [
                "Find": .inTurn([.values([Self.found(provisional: true)]), .values([Self.found()])]),
                "AddFolder": .values([.string("f1")]),
                "BeginLogin": .error("Unsupported", "There is no page."),
            ])
        let terminal = try PseudoTerminal()
        let program = try terminal.start(["add", "/d/a", "cloud.example.org/f/7"], environment: bus.environment)
        try terminal.shown(until: "Password of me at https://cloud.example.org: ")
        terminal.type("hunter2\n")
        try terminal.shown(until: "now syncs with")
        #expect(try program.wait() == 0)
        #expect(worker.calls.filter { $0[0] == .string("Find") }.count == 2)
        let alone = try Program.run(["add", "/d/a", "cloud.example.org/f/7"], environment: bus.environment)
        #expect(alone.status == 0)
        worker.answer("Find", .values([Self.found(provisional: true)]))
        let refused = try Program.run(["add", "/d/a", "cloud.example.org/f/7"], environment: bus.environment)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("wants you to log in. Log in: roundel login webdav+https://"), "\(refused)")
        let json = try Program.run(["add", "/d/a", "cloud.example.org/f/7", "--json"], environment: bus.environment)
        #expect(json.errors.contains(#"{"error":{"code":"login-needed""#), "\(json)")
        withExtendedLifetime(service) {}
    }

    @Test("What is not found is said, and nothing is added")
    func notFound() async throws {
        let worker = try await StandInWorker(on: bus, ["Find": .error("InvalidRemote", "There is no such server.")])
        let outcome = try Program.run(["add", "/d/a", "https://nowhere.example/x"], environment: bus.environment)
        #expect(outcome.status == 1 && outcome.errors == "roundel: There is no such server.\n")
        #expect(worker.calls.count == 1)
    }
}
