import DBus
import Glibc
import StandInSecrets
import StandInServices
import TestSupport
import Testing

@testable import roundel

/// What a person sees who logs in at a terminal.
@Suite(.serialized) struct PasswordPromptTests {
    let bus: PrivateBus
    let terminal: PseudoTerminal

    init() throws {
        bus = try PrivateBus()
        terminal = try PseudoTerminal()
    }

    /// A worker for a server without a page to log in on.
    private func worker() async throws -> StandInWorker {
        try await StandInWorker(
            on: bus, ["BeginLogin": .error("Unsupported", "no page"), "ListFolders": .values([.maps([])])])
    }

    private func login(_ remote: String = LoginVerbTests.remote) throws -> RunningProgram {
        try terminal.start(["login", remote], environment: bus.environment)
    }

    private func waitForEcho(_ echoes: Bool) async throws {
        try await eventually("the terminal's echo becomes \(echoes)") { terminal.echoes == echoes }
    }

    @Test func thePasswordIsNotShown() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        let program = try login("webdav+https://cloud.example.org/")
        try terminal.shown(until: "User name at https://cloud.example.org: ")
        #expect(terminal.echoes)
        terminal.type("me\n")
        try terminal.shown(until: "Password of me at https://cloud.example.org: ")
        #expect(!terminal.echoes)
        terminal.type("hunter2\n")
        let shown = try terminal.shown(until: "is saved in your keyring.")
        #expect(try program.wait() == 0)
        #expect(!shown.contains("hunter2"))
        #expect(terminal.echoes)
        #expect(worker.saved == [[.string("webdav+https://me@cloud.example.org/"), .string("hunter2")]])
        withExtendedLifetime(service) {}
    }

    @Test("A signal that ends the program gives the terminal back", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signals(number: Int32) async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        let program = try login()
        try terminal.shown(until: "Password of me")
        try await waitForEcho(false)
        terminal.type("hunt")
        #expect(try program.end(with: number) == 128 + number)
        #expect(terminal.echoes)
        #expect(worker.saved.isEmpty && service.items.isEmpty)
    }

    @Test func controlCEndsItWithoutAPassword() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        let program = try login()
        try terminal.shown(until: "Password of me")
        try await waitForEcho(false)
        terminal.type("hunter2\u{3}")
        #expect(try program.wait() == 128 + SIGINT)
        #expect(terminal.echoes)
        #expect(worker.saved.isEmpty && service.items.isEmpty)
    }

    @Test func aProgramThatIsStoppedLendsTheTerminalAndAsksAgain() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        let program = try login()
        try terminal.shown(until: "Password of me")
        try await waitForEcho(false)
        terminal.type("wrong\u{1A}")
        try program.waitUntilStopped()
        #expect(terminal.echoes)
        terminal.forget()
        program.signal(SIGCONT)
        try terminal.shown(until: "Password of me")
        try await waitForEcho(false)
        terminal.type("hunter2\n")
        #expect(try program.wait() == 0)
        #expect(terminal.echoes)
        #expect(worker.saved.map { $0[1] } == [.string("hunter2")])
        withExtendedLifetime(service) {}
    }

    @Test func theEndOfTheInputIsNoPassword() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        let program = try login()
        try terminal.shown(until: "Password of me")
        terminal.type("\u{4}")
        try terminal.shown(until: "No password was given")
        #expect(try program.wait() == 1)
        #expect(terminal.echoes && worker.saved.isEmpty && service.items.isEmpty)
    }
}
