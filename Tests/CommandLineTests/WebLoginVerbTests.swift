import DBus
import StandInSecrets
import StandInServices
import TestSupport
import Testing

@testable import roundel

/// `login` at a server that has a page to log in on; the worker and the secret service are the test's own.
@Suite(.serialized) struct WebLoginVerbTests {
    private static let page = "https://cloud.example.org/login/v2/flow/abc"
    private static let shown =
        "Log in at https://cloud.example.org on this page, which waits for twenty minutes: \(page)\n"
    private let login: LoginVerbTests

    init() throws { login = try LoginVerbTests() }

    private func worker() async throws -> StandInWorker {
        let worker = try await login.worker([login.folder("a", remote: LoginVerbTests.remote)])
        worker.answer("BeginLogin", .values([.string("one"), .string(Self.page)]))
        worker.answer("AwaitLogin", .values([.string("me")]))
        return worker
    }

    private func calls(_ worker: StandInWorker, _ member: String) -> [DBusValue] {
        worker.calls.filter { $0[0] == .string(member) }.map { $0[1] }
    }

    @Test("Without a password the page is named, and the worker saves what the server gives")
    func pageNamed() async throws {
        let service = try await StandInSecretService(on: login.bus)
        let worker = try await worker()
        let outcome = try login.start("login", LoginVerbTests.remote).finish()
        #expect(outcome.status == 0 && outcome.errors == Self.shown)
        #expect(
            outcome.output
                == "The password of “me” at https://cloud.example.org is saved in your keyring.\n/d/a syncs with it.\n")
        #expect(calls(worker, "BeginLogin") == [.string(LoginVerbTests.remote)])
        #expect(calls(worker, "AwaitLogin") == [.string("one")])
        #expect(calls(worker, "Sync") == [.string("a")])
        #expect(service.items.isEmpty)
    }

    @Test func aPasswordThatIsGivenIsTaken() async throws {
        let service = try await StandInSecretService(on: login.bus)
        let worker = try await worker()
        let outcome = try login.start("login", LoginVerbTests.remote, input: "hunter2\n").finish()
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(calls(worker, "SaveLogin") == [.string(LoginVerbTests.remote)])
        #expect(calls(worker, "BeginLogin").isEmpty && service.items.isEmpty)
    }

    @Test("Where the server has no page, and with --password, an empty line is no password")
    func noPage() async throws {
        let service = try await StandInSecretService(on: login.bus)
        let worker = try await worker()
        let refused = try login.start("login", LoginVerbTests.remote, "--password").finish()
        #expect(refused.status == 1 && refused.errors == "roundel: No password was given; nothing is saved.\n")
        #expect(calls(worker, "BeginLogin").isEmpty)
        worker.answer("BeginLogin", .error("Unsupported", "no page"))
        let none = try login.start("login", LoginVerbTests.remote).finish()
        #expect(none.status == 1 && none.errors == refused.errors)
        #expect(service.items.isEmpty)
    }

    @Test("On a terminal nobody is asked for a password where there is a page")
    func onATerminal() async throws {
        let service = try await StandInSecretService(on: login.bus)
        let worker = try await worker()
        let terminal = try PseudoTerminal()
        let program = try terminal.start(["login", "/d/a"], environment: login.bus.environment)
        let shown = try terminal.shown(until: "syncs with it.")
        #expect(try program.wait() == 0)
        #expect(shown.contains(Self.page) && !shown.contains("Password of"))
        #expect(calls(worker, "BeginLogin") == [.string(LoginVerbTests.remote)] && service.items.isEmpty)
    }

    @Test func onATerminalThePasswordIsAskedForIfItIsWanted() async throws {
        let service = try await StandInSecretService(on: login.bus)
        let worker = try await worker()
        let terminal = try PseudoTerminal()
        let program = try terminal.start(
            ["login", "--password", LoginVerbTests.remote], environment: login.bus.environment)
        try terminal.shown(until: "Password of me")
        terminal.type("hunter2\n")
        try terminal.shown(until: "is saved")
        #expect(try program.wait() == 0)
        #expect(calls(worker, "SaveLogin") == [.string(LoginVerbTests.remote)])
        #expect(calls(worker, "BeginLogin").isEmpty && service.items.isEmpty)
    }

    @Test("The login of somebody else is said to be one")
    func somebodyElse() async throws {
        let service = try await StandInSecretService(on: login.bus)
        let worker = try await worker()
        worker.answer("AwaitLogin", .values([.string("you")]))
        let outcome = try login.start("login", LoginVerbTests.remote).finish()
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("You logged in as “you”, but the address names “me”"))
        #expect(calls(worker, "Sync").isEmpty && service.items.isEmpty)
    }

    @Test("A login that did not come about is said in the worker's words")
    func notInTime() async throws {
        let service = try await StandInSecretService(on: login.bus)
        let worker = try await worker()
        worker.answer("AwaitLogin", .error("Failed", "Nobody logged in in time."))
        let outcome = try login.start("login", LoginVerbTests.remote).finish()
        #expect(outcome.status == 1 && outcome.errors == Self.shown + "roundel: Nobody logged in in time.\n")
        withExtendedLifetime((service, worker)) {}
    }
}
