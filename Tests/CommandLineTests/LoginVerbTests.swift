import DBus
import Glibc
import RoundelBus
import Secrets
import StandInSecrets
import StandInServices
import SystemPackage
import TestSupport
import Testing

@testable import roundel

/// `login` and `logout`, with a secret service and a worker that the test plays.
@Suite(.serialized) struct LoginVerbTests {
    static let server = "https://cloud.example.org"
    static let remote = "webdav+https://me@cloud.example.org/remote.php/dav/files/me"
    let bus: PrivateBus
    let directory: TemporaryDirectory

    init() throws {
        bus = try PrivateBus()
        directory = try TemporaryDirectory()
        try directory.makeDirectory("home")
    }

    var variables: [String: String] {
        bus.environment.merging(["HOME": directory["home"].string, "XDG_RUNTIME_DIR": bus.directory]) { $1 }
    }

    /// Starts `roundel` with text on its standard input, or with a file as that.
    func start(
        _ arguments: String..., input: String = "", from file: String = "input", dumping: Bool = false
    ) throws -> RunningProgram {
        if file == "input" { try directory.write(input, to: file) }
        let limits = dumping ? "ulimit -c unlimited; " : ""
        // The shell becomes the program, so that the text is in nobody's arguments.
        let shell = ["sh", "-c", "\(limits)exec \"$@\" < \(directory[file])", "sh", BuiltPrograms.path("roundel")]
        return try RunningProgram(
            shell + arguments, environment: RunningProgram.inheritedEnvironment.merging(variables) { $1 },
            directory: directory["home"].string)
    }

    func roundel(_ arguments: String...) throws -> RunningProgram.Outcome {
        try Program.run(arguments, directory: directory["home"].string, environment: variables)
    }

    func folder(_ name: String, remote: String) -> DBusValue {
        .map([
            "id": .string(name), "uri": .string("file:///d/\(name)"), "remote": .string(remote), "label": .string(name),
        ])
    }

    func worker(_ folders: [DBusValue], sync: StandInWorker.Answer? = nil) async throws -> StandInWorker {
        let result = WorkerVerbTests.result().map
        return try await StandInWorker(
            on: bus,
            [
                "ListFolders": .values([.array(element: "a{sv}", folders)]), "Sync": sync ?? .values([.map(result)]),
            ])
    }

    /// Saves a password, as the worker does.
    func save(_ user: String) async throws {
        let login = StoredLogin(user: user, password: try SecretBytes(copying: "hunter2".utf8))
        try await SecretStore(bus: try await bus.connect()).save(login, for: Self.server, asking: nil)
    }

    // MARK: Logging in

    @Test func loginHasThePasswordSavedAndItsFoldersSynced() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([
            folder("a", remote: Self.remote), folder("b", remote: "file:///mnt/x"),
            folder("c", remote: "webdav+https://you@cloud.example.org/"),
            folder("e", remote: "webdav+https://cloud.example.org/"),
        ])
        let outcome = try start("login", Self.remote, input: "hunter2\nnot this\n").finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(worker.saved == [[.string(Self.remote), .string("hunter2")]] && service.items.isEmpty)
        #expect(
            outcome.output == """
                The password of “me” at https://cloud.example.org is saved in your keyring.
                /d/a syncs with it.
                /d/e syncs with it.

                """)
        #expect(worker.calls.filter { $0[0] == .string("Sync") }.map { $0[1] } == [.string("a"), .string("e")])
        #expect(try directory.names(in: "home").isEmpty)
    }

    @Test("The worker saves the password, which it takes from this program though that knows one")
    func savedByTheWorker() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try RunningProgram(
            [BuiltPrograms.path("roundel-worker")],
            environment: RunningProgram.inheritedEnvironment.merging(variables) { $1 },
            directory: directory["home"].string)
        defer { worker.kill() }
        let connection = try await bus.connect()
        try await eventually("the worker has its name") { try await connection.owner(of: Names.worker) != nil }
        let outcome = try start("login", "webdav+http://me@127.0.0.1:1/dav", input: "hunter2\n").finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("roundel: The password is saved, but could not be tried: "))
        #expect(service.items.map(\.secret) == [Array("hunter2".utf8)])
        #expect(service.items.first?.attributes["server"] == "http://127.0.0.1:1")
        #expect(service.items.first?.attributes["user"] == "me")
    }

    @Test func loginOfAFolderIsThatOfItsRemote() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([
            folder("a", remote: Self.remote), folder("b", remote: "file:///mnt/x"),
            folder("c", remote: "rclone:drive:x"),
        ])
        let outcome = try start("login", "/d/a/in it", "--json", input: "hunter2").finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output
                == #"{"server":"https://cloud.example.org","user":"me","folders":[{"uri":"file:///d/a","path":"/d/a"}]}"#
                + "\n")
        #expect(worker.saved.map { $0[0] } == [.string(Self.remote)])
        for (path, sentence) in [
            ("/d/b", "needs no login"), ("/d/c", "rclone config"), ("/elsewhere", "not in a synced folder"),
        ] {
            let refused = try start("login", path, input: "hunter2").finish()
            #expect(refused.status == 1 && refused.errors.contains(sentence))
        }
        #expect(worker.saved.count == 1)
        withExtendedLifetime(service) {}
    }

    @Test func aFolderThatCannotBeSyncedIsSaidAndThePasswordStays() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([folder("a", remote: Self.remote)], sync: .error("Paused", "“a” is paused."))
        let outcome = try start("login", Self.remote, input: "hunter2\n").finish()
        #expect(outcome.status == 2 && outcome.errors == "roundel: “a” is paused.\n")
        #expect(worker.saved.count == 1)
        withExtendedLifetime(service) {}
    }

    @Test("A password that the server refuses is said to be refused, in the worker's words")
    func refusedPassword() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([folder("a", remote: Self.remote)])
        worker.answer("SaveLogin", .error("LoginNeeded", "The server refuses it."))
        let refused = try start("login", Self.remote, "--password", input: "wrong\n").finish()
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(refused.errors == "roundel: The server refuses it.\n")
        #expect(!worker.calls.contains { $0[0] == .string("Sync") } && service.items.isEmpty)
    }

    @Test("A password that cannot be tried now is saved, and that is said")
    func untriedPassword() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([])
        worker.answer("SaveLogin", .values([], more: ["untried": .string("The server cannot be reached.")]))
        let outcome = try start("login", Self.remote, "--password", input: "hunter2\n").finish()
        #expect(outcome.status == 0)
        #expect(
            outcome.errors
                == "roundel: The password is saved, but could not be tried: The server cannot be reached.\n")
        withExtendedLifetime(service) {}
    }

    @Test func withoutAWorkerNothingIsSavedAndThatIsSaid() async throws {
        let service = try await StandInSecretService(on: bus)
        let outcome = try start("login", Self.remote, input: "hunter2\n").finish()
        #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.errors.contains("roundel-worker"))
        #expect(service.items.isEmpty)
    }

    @Test(
        "What is no address, or has a password in it, is wrong usage and is not repeated",
        arguments: [
            "webdav+https://me:hunter2@host/", "https://me:hunter2@host/", "webdav+http://me@cloud.example.org/hunter2",
            "webdav+https:hunter2", "webdav+https://host/hunter2?x",
        ])
    func addressesThatCannotBeUsed(address: String) async throws {
        let service = try await StandInSecretService(on: bus)
        for verb in ["login", "logout"] {
            let refused = try start(verb, address, input: "x\n").finish()
            #expect(refused.status == 64)
            #expect(!refused.errors.contains("hunter2") && refused.errors.hasPrefix("roundel: "))
        }
        #expect(service.calls.isEmpty)
    }

    @Test func aUserIsNeededWhereNobodyCanBeAsked() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([])
        let refused = try start("login", "webdav+https://cloud.example.org/", input: "hunter2\n").finish()
        #expect(refused.status == 64 && refused.errors.contains("webdav+https://USER@HOST/PATH"))
        #expect(worker.saved.isEmpty && service.items.isEmpty)
    }

    @Test(arguments: [
        "", "\n", String(repeating: "x", count: 4_097) + "\n", String(repeating: "x", count: 5_000),
    ])
    func whatIsNoPasswordIsNotSaved(input: String) async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([])
        worker.answer("BeginLogin", .error("Unsupported", "no page"))
        let refused = try start("login", Self.remote, input: input).finish()
        #expect(refused.status == 1 && refused.errors.contains("password"))
        #expect(worker.saved.isEmpty && service.items.isEmpty)
    }

    @Test func withoutASecretServiceASentenceIsAllThatIsLeft() async throws {
        try await StandInSecretService.hideInstalled(from: bus)
        for verb in ["login", "logout"] {
            let refused = try start(verb, Self.remote, input: "hunter2\n").finish()
            #expect(refused.status == 1 && refused.output.isEmpty)
            #expect(
                refused.errors == "roundel: There is no secret service on the session bus, and Roundel saves passwords "
                    + "nowhere else. Install and start one: gnome-keyring, or KWallet with its Secret Service interface "
                    + "enabled.\n")
        }
        #expect(try directory.names(in: "home").isEmpty)
    }

    // MARK: Logging out

    @Test func logoutDeletesThePasswordAndNamesTheFoldersThatNeedIt() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([folder("a b", remote: Self.remote), folder("b", remote: "file:///mnt/x")])
        try await save("me")
        let other = try roundel("logout", "webdav+https://you@cloud.example.org/")
        #expect(other.status == 1)
        #expect(other.errors == "roundel: No password of “you” at https://cloud.example.org is saved.\n")
        let outcome = try roundel("logout", Self.remote)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output == """
                The password of “me” at https://cloud.example.org was deleted from your keyring.
                /d/a b syncs with it and will need a password. To log in again: roundel login '/d/a b'

                """)
        #expect(service.items.isEmpty)
        let again = try roundel("logout", "webdav+https://cloud.example.org/", "--json")
        #expect(
            again.status == 1
                && again.errors
                    == #"{"error":{"code":"failed","message":"No password for https://cloud.example.org is saved."}}"#
                    + "\n"
        )
        withExtendedLifetime(worker) {}
    }

    @Test("D8, D16: what is on the remote only goes from this computer at a logout, after asking, and comes back")
    func logoutClears() async throws {
        let service = try await StandInSecretService(on: bus)
        var cloud = SyncedFolder(id: "c", uri: "file:///d/c", remote: Self.remote, label: "", state: .synced)
        cloud.isOnDemand = true
        var status = SyncFolderStatus(id: "c", uri: "file:///d/c", state: .synced)
        (status.isOnDemand, status.filesOnline, status.bytesOnline) = (true, 4_012, 180_000_000_000)
        var cleared = SyncClearedContents()
        (cleared.files, cleared.left) = (4_012, 1)
        let worker = try await worker([folder("p", remote: Self.remote), .map(cloud.map)])
        worker.answer("Status", .values([.maps([status.map])]))
        worker.answer("Clear", .values([.map(cleared.map)]))
        try await save("me")
        let refused = try roundel("logout", Self.remote)
        #expect(refused.status == 1 && service.items.count == 1)
        #expect(
            refused.errors == "roundel: 4012 files (180 GB) in /d/c are on the remote only, and are removed from this "
                + "computer. To agree: roundel logout --yes\n")
        #expect(!worker.calls.contains { [.string("EndLogin"), .string("Clear")].contains($0[0]) })
        let outcome = try roundel("logout", "--yes", Self.remote)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.items.isEmpty)
        #expect(
            outcome.output.hasSuffix(
                "4012 files in /d/c were removed from this computer; they are still on the remote.\n"
                    + "1 file in /d/c stays on this computer.\n"))
        // Only when nothing is sent with the login any more, else it would come back at once.
        let changes = worker.calls.filter { [.string("EndLogin"), .string("Clear")].contains($0[0]) }
        #expect(changes.map { $0[0] } == [.string("EndLogin"), .string("Clear")])
        #expect(changes.last == [.string("Clear"), .string("c"), .map([:])])
    }

    @Test("D16: with --remove-local the copies go as well, of every folder of the account")
    func logoutRemovesCopies() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([folder("p", remote: Self.remote), folder("b", remote: "file:///mnt/x")])
        worker.answer("Clear", .values([.map(SyncClearedContents().map)]))
        worker.answer("Status", .values([.maps([])]))
        try await save("me")
        let refused = try roundel("logout", "--remove-local", Self.remote)
        #expect(refused.status == 1 && refused.errors.contains("Files in /d/p that are the same on the remote"))
        let outcome = try roundel("logout", "--remove-local", "--yes", "--json", Self.remote)
        #expect(outcome.status == 0 && service.items.isEmpty)
        #expect(
            outcome.output.hasSuffix(
                #""cleared":[{"uri":"file:///d/p","path":"/d/p","files":0,"bytes":0,"left":0}]}"# + "\n"))
        #expect(worker.calls.last == [.string("Clear"), .string("p"), .map(["remove-local": .bool(true)])])
    }

    @Test("Each login is ended at the server before it is deleted, and what was taken back there is said")
    func logoutEndsLogins() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([])
        for user in ["me", "you"] { try await save(user) }
        worker.answer("EndLogin", .values([], more: ["revoked": .bool(true)]))
        let outcome = try roundel("logout", "webdav+https://cloud.example.org/remote.php/webdav")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output == """
                The password of “me” at https://cloud.example.org was taken back there, and deleted from your keyring.
                The password of “you” at https://cloud.example.org was taken back there, and deleted from your keyring.

                """)
        #expect(service.items.isEmpty)
        let ended = worker.calls.filter { $0[0] == .string("EndLogin") }.map { $0[1] }
        let addresses = ["me", "you"].map { "webdav+https://\($0)@cloud.example.org/remote.php/webdav" }
        #expect(ended == addresses.map { DBusValue.string($0) })
    }

    @Test("What was taken back is told to programs as well, and what was not is left out", arguments: [true, false])
    func logoutJSON(isRevoked: Bool) async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([])
        try await save("me")
        worker.answer("EndLogin", .values([], more: isRevoked ? ["revoked": .bool(true)] : [:]))
        let outcome = try roundel("logout", Self.remote, "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let revoked = isRevoked ? "\"me\"" : ""
        #expect(
            outcome.output
                == #"{"server":"https://cloud.example.org","users":["me"],"revoked":[\#(revoked)],"folders":[],"cleared":[]}"#
                + "\n"
        )
        #expect(service.items.isEmpty)
    }

    @Test("A secret that nobody can read is deleted all the same")
    func logoutOfDamaged() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker([])
        try await save("me")
        service.answer("GetSecret", .error("org.example.Damaged"))
        let outcome = try roundel("logout", Self.remote)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.items.isEmpty)
        withExtendedLifetime(worker) {}
    }

    // MARK: Where the password must not be

    @Test func thePasswordIsInNothingThatOthersRead() async throws {
        let service = try await StandInSecretService(on: bus)
        let monitor = try RunningProgram(
            ["dbus-monitor", "--address", bus.text, "--binary"], environment: RunningProgram.inheritedEnvironment)
        // A monitor is told that it has lost its name when it sees everything.
        var seen = try read(monitor, until: "NameLost")
        // The program has sent the password, and waits.
        let worker = try await worker([])
        worker.answer("SaveLogin", .silence)
        let program = try start("login", Self.remote, input: "hunter2-hunter2\n")
        try await eventually("the password was sent") { !worker.saved.isEmpty }
        #expect(worker.saved == [[.string(Self.remote), .string("hunter2-hunter2")]] && service.items.isEmpty)
        for file in ["cmdline", "environ"] {
            #expect(try !Self.kernelFile("/proc/\(program.identifier)/\(file)").contains("hunter2"))
        }
        let mark = try await AsyncConnection.open(bus.address)
        _ = try? await mark.call("org.example.Finished", "/", nil, "Finished")
        seen += try read(monitor, until: "org.example.Finished")
        monitor.kill()
        #expect(contains(seen, "SaveLogin"))
        #expect(!contains(seen, "hunter2"))
        _ = try program.end(with: SIGTERM)
        let outcome = try program.finish()
        #expect(!outcome.output.contains("hunter2") && !outcome.errors.contains("hunter2"))
        #expect(try directory.names(in: "home").isEmpty)
    }

    @Test("A program that knows a password leaves no core dump", arguments: [true, false])
    func coreDumps(isLogin: Bool) async throws {
        let service = try await StandInSecretService(on: bus)
        let typed = directory["typed"].string
        #expect(mkfifo(typed, 0o600) == 0)
        let keyboard = open(typed, O_RDWR | O_CLOEXEC)
        defer { close(keyboard) }
        #expect(write(keyboard, "hunter2", 7) == 7)
        service.answer("SearchItems", .silence)
        let program = try start(isLogin ? "login" : "logout", Self.remote, from: "typed", dumping: true)
        if isLogin {
            try await eventually("it knows a part of the password and waits for the rest") {
                var unread: Int32 = 1
                return ioctl(keyboard, UInt(FIONREAD), &unread) == 0 && unread == 0
            }
        } else {
            try await eventually("it asks the service") { service.calls.contains("SearchItems") }
        }
        // Swift's runtime handles the other signals that dump core.
        program.signal(SIGXCPU)
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(program.identifier), &information, WEXITED | WNOWAIT) == 0)
        // The other verb shows that there would be one, where the system writes any.
        if isLogin {
            #expect(information.si_code == CLD_KILLED)
        } else if try Self.writesCoreDumps {
            #expect(information.si_code == CLD_DUMPED)
        }
        program.kill()
    }

    /// Whether the kernel writes core dumps to files by itself, and may here.
    private static var writesCoreDumps: Bool {
        get throws {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0, limit.rlim_max > 0 else {
                return false
            }
            let pattern = try kernelFile("/proc/sys/kernel/core_pattern")
            return pattern.count > 1 && !pattern.contains("|") && !pattern.contains("/")
        }
    }

    // MARK: Help for these tests

    private static func kernelFile(_ path: String) throws -> String {
        guard let file = fopen(path, "re") else { throw Failure("cannot read \(path)") }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }

    /// The output of a program up to a text.
    private func read(_ program: RunningProgram, until text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while !contains(bytes, text) {
            guard let more = try program.readSome() else { throw Failure("the output ended") }
            bytes += more
        }
        return bytes
    }
}
