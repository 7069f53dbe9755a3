import DBus
import RoundelBus
import Secrets
import StandInSecrets
import StandInServices
import TestSupport
import Testing

@testable import Client

/// Signing in step by step, as a front end of any kind does; the worker and the secret service are the test's own.
@Suite(.serialized) struct SignInTests {
    private static let address = "webdav+https://cloud.example.org/"
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private func remote() throws -> LoginRemote {
        LoginRemote(address: Self.address, account: try RemoteAccount(remote: Self.address))
    }

    @Test("A page is the first step where the server has one and it is wanted")
    func steps() async throws {
        let page = "https://cloud.example.org/login"
        let worker = try await StandInWorker(
            on: bus,
            ["BeginLogin": .values([.string("one"), .string(page)]), "AwaitLogin": .values([.string("you")])])
        let signIn = SignIn(bus: try await bus.connect())
        guard case .page(let login) = try await signIn.step(for: remote()) else { throw Failure("no page") }
        #expect(login.address == page)
        #expect(try await signIn.finish(login, at: remote()).user == "you")
        guard case .password = try await signIn.step(for: remote(), takesPages: false) else { throw Failure("a page") }
        worker.answer("BeginLogin", .error("Unsupported", "no page"))
        guard case .password = try await signIn.step(for: remote()) else { throw Failure("a page") }
    }

    @Test("Without an engine nobody types a password in vain")
    func withoutEngine() async throws {
        let signIn = SignIn(bus: try await bus.connect())
        await #expect(throws: DBusError.self) { try await signIn.step(for: remote()) }
    }

    @Test("A password goes to the engine through a pipe, with its user in the address; nothing is saved here")
    func passwords() async throws {
        let service = try await StandInSecretService(on: bus)
        let worker = try await StandInWorker(on: bus, [:])
        let signIn = SignIn(bus: try await bus.connect())
        try await signIn.prepare()
        func finish() async throws -> (RemoteAccount, untried: String?) {
            let password = try SignIn.secretly { try SecretBytes(copying: "hunter2".utf8) }
            return try await signIn.finish(try #require(password), of: "me", at: remote())
        }
        let (account, untried) = try await finish()
        #expect(account == RemoteAccount(server: "https://cloud.example.org", user: "me") && untried == nil)
        #expect(worker.saved == [[.string("webdav+https://me@cloud.example.org/"), .string("hunter2")]])
        worker.answer("SaveLogin", .values([], more: ["untried": .string("Not now.")]))
        #expect(try await finish().untried == "Not now.")
        worker.answer("SaveLogin", .error("LoginNeeded", "refused"))
        let refusal = await #expect(throws: DBusError.self) { try await finish() }
        #expect(refusal?.roundelCode == .loginNeeded && service.items.isEmpty)
        #expect(try SignIn.secretly { nil } == nil)
    }

    @Test("The user goes into an address that names none, and replaces none")
    func addresses() throws {
        let remote = try remote()
        #expect(remote.address(of: "a b@c") == "webdav+https://a%20b%40c@cloud.example.org/")
        let named = "webdav+https://me@cloud.example.org/"
        #expect(LoginRemote(address: named, account: try RemoteAccount(remote: named)).address(of: "you") == named)
    }

    @Test("A folder without a login says why")
    func folders() throws {
        func refusal(_ remote: String) -> ClientError? {
            do throws(ClientError) {
                _ = try LoginRemote(
                    of: SyncedFolder(id: "f", uri: "file:///d", remote: remote, label: "", state: .synced))
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal("rclone:drive:x") == .loginKeptByRclone)
        #expect(refusal("file:///mnt") == .needsNoLogin(folder: "file:///d"))
        #expect(refusal("webdav+https://me@cloud.example.org/") == nil)
    }
}
