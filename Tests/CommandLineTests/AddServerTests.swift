import DBus
import StandInSecrets
import StandInServices
import TestSupport
import Testing

@testable import roundel

/// `add` with a server that wants a login, the worker and the secret service being the test's own.
@Suite(.serialized) struct AddServerTests {
    private static let sentence = "The server wants you to log in."
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private func worker() async throws -> StandInWorker {
        try await StandInWorker(on: bus, ["AddFolder": .error("LoginNeeded", Self.sentence)])
    }

    private func additions(_ worker: StandInWorker) -> [DBusValue] {
        worker.calls.filter { $0[0] == .string("AddFolder") }.map { $0[2] }
    }

    @Test func aPersonIsAskedAndTheFolderIsAddedThen() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        let terminal = try PseudoTerminal()
        let program = try terminal.start(["add", "/d/a", LoginVerbTests.remote], environment: bus.environment)
        try terminal.shown(until: "Password of me at https://cloud.example.org: ")
        worker.answer("AddFolder", .values([.string("f1")]))
        terminal.type("hunter2\n")
        let shown = try terminal.shown(until: "now syncs with")
        #expect(try program.wait() == 0)
        #expect(!shown.contains("hunter2"))
        #expect(worker.saved == [[.string(LoginVerbTests.remote), .string("hunter2")]] && service.items.isEmpty)
        #expect(additions(worker) == [.string(LoginVerbTests.remote), .string(LoginVerbTests.remote)])
    }

    @Test func aLoginThatIsRefusedAsWellIsSaidOnce() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        let terminal = try PseudoTerminal()
        let program = try terminal.start(["add", "/d/a", LoginVerbTests.remote], environment: bus.environment)
        try terminal.shown(until: "Password of me at https://cloud.example.org: ")
        terminal.type("wrong\n")
        try terminal.shown(until: Self.sentence)
        #expect(try program.wait() == 1)
        #expect(additions(worker).count == 2 && worker.saved.count == 1)
        withExtendedLifetime(service) {}
    }

    @Test("Without a terminal nobody is asked: the command is named, and programs are told the code")
    func withoutATerminal() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        let outcome = try Program.run(["add", "/d/a", LoginVerbTests.remote], environment: bus.environment)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors == "roundel: \(Self.sentence) Log in: roundel login \(LoginVerbTests.remote)\n")
        #expect(additions(worker).count == 1 && service.calls.isEmpty)
        let json = try Program.run(["add", "/d/a", LoginVerbTests.remote, "--json"], environment: bus.environment)
        #expect(json.errors.hasPrefix(#"{"error":{"code":"login-needed","message":"\#(Self.sentence) Log in: "#))
    }

    @Test("A login that is refused where one logs in says nothing of how to log in")
    func whoLogsInKnowsHow() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        worker.answer("SaveLogin", .error("LoginNeeded", "The server refuses this password."))
        let terminal = try PseudoTerminal()
        let program = try terminal.start(["login", LoginVerbTests.remote], environment: bus.environment)
        try terminal.shown(until: "Password of me at https://cloud.example.org: ")
        terminal.type("wrong\n")
        let shown = try terminal.shown(until: "The server refuses this password.")
        #expect(try program.wait() == 1)
        #expect(!shown.contains("roundel login"))
        withExtendedLifetime(service) {}
    }

    @Test("Another refusal asks for nothing")
    func otherRefusals() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await worker()
        worker.answer("AddFolder", .error("InvalidRemote", "There is no folder."))
        let terminal = try PseudoTerminal()
        let program = try terminal.start(["add", "/d/a", LoginVerbTests.remote], environment: bus.environment)
        try terminal.shown(until: "There is no folder.")
        #expect(try program.wait() == 1)
        #expect(additions(worker).count == 1 && service.calls.isEmpty)
    }
}
