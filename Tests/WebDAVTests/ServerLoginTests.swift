import Remotes
import Synchronization
import Testing

@testable import WebDAV

/// When the saved login is read, and what follows when the server refuses it.
@Suite struct ServerLoginTests {
    private actor Saved {
        var password: String?
        var error: LoginUnreadable?
        private(set) var readings = 0
        private var time: UInt64 = 0

        init(_ password: String?, _ error: LoginUnreadable? = nil) { (self.password, self.error) = (password, error) }

        func save(_ password: String?) {
            time += 1
            (self.password, error) = (password, nil)
        }

        func read() throws(LoginUnreadable) -> RemoteLogin? {
            readings += 1
            if let error { throw error }
            return password.map { RemoteLogin(user: "me", password: $0, saved: time) }
        }
    }

    private func login(_ saved: Saved, for lifetime: Duration = .seconds(3_600)) -> ServerLogin {
        ServerLogin(at: "https://host", for: lifetime) { () async throws(LoginUnreadable) in try await saved.read() }
    }

    @Test func manyRequestsReadItOnce() async throws {
        let saved = Saved("hunter2")
        let login = login(saved)
        try await withThrowingTaskGroup(of: Credentials?.self) { group in
            for _ in 0..<20 { group.addTask { try await login.credentials() } }
            for try await found in group { #expect(found == Credentials(user: "me", password: "hunter2")) }
        }
        #expect(await saved.readings == 1)
    }

    @Test("What was refused is not sent again, which would lock the account; what is saved then is")
    func refused() async throws {
        let saved = Saved("wrong")
        let login = login(saved)
        let first = try await login.credentials()
        #expect(await login.refused(first).reason == .loginRefused)
        for _ in 0..<3 {
            await #expect(throws: DAVFailure(.loginRefused)) { try await login.credentials() }
        }
        await saved.save("hunter2")
        #expect(try await login.credentials() == Credentials(user: "me", password: "hunter2"))
    }

    @Test("A login that was ended is not used, whatever a person asks for; another one is, with the same password too")
    func ended() async throws {
        for password in ["other", "hunter2"] {
            let saved = Saved("hunter2")
            let login = login(saved)
            #expect(try await login.credentials() != nil)
            await login.end(of: nil)
            for _ in 0..<2 {
                await #expect(throws: DAVFailure(.loginNeeded)) { try await login.credentials() }
                await login.retry()
            }
            await saved.save(password)
            #expect(try await login.credentials() == Credentials(user: "me", password: password))
        }
    }

    @Test("What stays open ends with its user's login, not with another's")
    func endedWhileOpen() async throws {
        let login = login(Saved("hunter2"))
        let isClosed = Mutex(false)
        async let connection: Void = {
            await login.ends()
            isClosed.withLock { $0 = true }
        }()
        for _ in 0..<100 { await login.end(of: "you") }
        #expect(!isClosed.withLock { $0 })
        while !isClosed.withLock({ $0 }) { await login.end(of: "me") }
        await connection
    }

    @Test("The end of another user's login ends none, and neither does that of one that is not there")
    func endedForOthers() async throws {
        let saved = Saved("hunter2")
        let login = login(saved)
        await login.end(of: "you")
        #expect(try await login.credentials() != nil)
        await saved.save(nil)
        await login.end(of: "me")
        #expect(try await login.credentials() == nil)
        await saved.save("hunter2")
        await login.retry()
        #expect(try await login.credentials() != nil)
        // As it is while it is deleted from the keyring.
        await login.end(of: "me")
        await #expect(throws: DAVFailure(.loginNeeded)) { try await login.credentials() }
        await saved.save(nil)
        #expect(try await login.credentials() == nil)
    }

    @Test("A login that was deleted is not used on, although the server never refused it")
    func deleted() async throws {
        let saved = Saved("hunter2")
        let login = login(saved, for: .zero)
        #expect(try await login.credentials() != nil)
        await saved.save(nil)
        #expect(try await login.credentials() == nil)
    }

    @Test func aPersonHasItTriedAgain() async throws {
        let saved = Saved("right")
        let login = login(saved)
        _ = await login.refused(try await login.credentials())
        await login.retry()
        #expect(try await login.credentials() == Credentials(user: "me", password: "right"))
    }

    @Test("A server that wants none is asked without, whatever the keyring says; one that does is told apart")
    func none() async throws {
        for (error, reason) in [(nil, .loginNeeded), (LoginUnreadable("locked"), .loginUnreadable)]
            as [(LoginUnreadable?, DAVFailure.Reason)]
        {
            let saved = Saved(nil, error)
            let login = login(saved)
            #expect(try await login.credentials() == nil)
            #expect(await login.refused(nil).reason == reason)
            // The keyring may be unlocked at any time.
            await saved.save("hunter2")
            #expect(try await login.credentials() == Credentials(user: "me", password: "hunter2"))
        }
    }
}
