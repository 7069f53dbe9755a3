import RoundelBus
import Secrets
import Synchronization
import Testing
import WebDAV

@testable import SyncService

@Suite("Servers that folders are synced with")
struct ServerPlaceTests {
    private func place(_ text: String) throws -> ServerPlace { try ServerPlace(text) }

    @Test(
        "The address is taken apart, and written in one way",
        arguments: [
            ("webdav+https://me@Cloud.example.org/dav/my%20files", "https://cloud.example.org/dav/my%20files/", "me"),
            ("webdav+https://cloud.example.org", "https://cloud.example.org/", nil),
            ("WebDAV+HTTP://a%40b@127.0.0.1:8080/x/", "http://127.0.0.1:8080/x/", "a@b"),
            ("webdav+https://me@[::1]:443/", "https://[::1]/", "me"),
        ])
    func addresses(text: String, address: String, user: String?) throws {
        let place = try place(text)
        #expect(place.name == address && place.account.user == user)
        #expect(try ServerPlace(place.text) == place)
    }

    @Test(
        "Others are refused, and a password that was written into one is not repeated",
        arguments: [
            "webdav+https://me:hunter2@cloud.example.org/", "webdav+http://me:hunter2@127.0.0.1/",
            "webdav+http://cloud.example.org/hunter2", "webdav+https://", "webdav+https:///hunter2",
            "webdav+https://host/../hunter2", "webdav+https://host/a?hunter2", "webdav+https://host/%00hunter2",
            "webdav+https://host:0/", "webdav+https://host/a b", "webdav+ftp://host/hunter2", "webdav+",
        ])
    func refusals(text: String) {
        let error = #expect(throws: WorkerError.self) { try RemoteAddress(text) }
        #expect(error?.code == .invalidRemote && error?.message.contains("hunter2") == false)
    }

    @Test("Collections overlap that are one or hold each other, for one user or for whom nobody knows")
    func overlap() throws {
        let outer = try place("webdav+https://me@host/dav")
        let overlapping = [
            "webdav+https://me@host:443/dav/", "webdav+https://HOST/dav/inner", "webdav+https://me@host",
            "webdav+https://host/%64av",
        ]
        let account = try place("webdav+https://me@host/remote.php/dav/files/me/docs")
        for text in [
            "webdav+https://me@host/remote.php/webdav", "webdav+https://host/remote.php/webdav/docs/inner",
            "webdav+https://host/remote.php/webdav/docs",
        ] {
            let other = try place(text)
            #expect(account.overlaps(other) && other.overlaps(account), "\(text)")
        }
        for text in [
            "webdav+https://me@host/remote.php/webdav/music", "webdav+https://you@host/remote.php/webdav",
            "webdav+https://me@host/cloud/remote.php/webdav",
        ] {
            let other = try place(text)
            #expect(!account.overlaps(other) && !other.overlaps(account), "\(text)")
        }
        for text in overlapping {
            let other = try place(text)
            #expect(outer.overlaps(other) && other.overlaps(outer), "\(text)")
        }
        for text in [
            "webdav+https://you@host/dav", "webdav+https://me@host/dav2", "webdav+https://me@other/dav",
            "webdav+https://me@host:8443/dav",
        ] {
            let other = try place(text)
            #expect(!outer.overlaps(other) && !other.overlaps(outer), "\(text)")
        }
    }

    @Test("What a server can do comes back from the settings, and what a later version writes there is no matter")
    func traits() {
        var traits = ServerTraits()
        traits.locks = true
        traits.writesAtOnce = true
        #expect(traits.names == ["locks", "writes-at-once"])
        #expect(ServerTraits(names: traits.names + ["of-a-later-version"]) == traits)
    }
}

/// What becomes of a server's failures.
@Suite struct ServerRefusalTests {
    private func place() throws -> ServerPlace { try ServerPlace("webdav+https://me@cloud.example.org/dav/") }

    @Test("A server, or a proxy, that fails is no server without WebDAV", arguments: [500, 502, 504, 599])
    func failing(status: Int) throws {
        let refusal = ServerCheck.refusal(DAVFailure(.refused, status: status), try place())
        #expect(refusal.code == .failed)
        #expect(refusal.message.contains("status \(status)") && !refusal.message.contains("WebDAV"))
    }

    @Test("A server that does not know a method, or says what is none, has no WebDAV", arguments: [501, 400, 200])
    func withoutWebDAV(status: Int) throws {
        let reason: DAVFailure.Reason = status == 200 ? .malformed : .refused
        let refusal = ServerCheck.refusal(DAVFailure(reason, status: status), try place())
        #expect(refusal.message.contains("does not understand WebDAV"), "\(refusal.message)")
    }

    @Test("Of the reasons why a login is not known to be right, one alone says that it is wrong")
    func logins() throws {
        let refused = ServerCheck.loginRefusal(DAVFailure(.loginRefused, status: 401), try place())
        #expect(refused.code == .loginNeeded)
        let reasons: [DAVFailure.Reason] = [
            .unreachable, .silent, .cancelled, .untrusted, .movedElsewhere, .loginNeeded, .loginUnreadable,
            .throttled(seconds: nil), .malformed, .refused,
        ]
        for reason in reasons {
            let refusal = ServerCheck.loginRefusal(DAVFailure(reason), try place())
            #expect(refusal.code == .failed && !refusal.message.isEmpty, "\(reason)")
        }
        let failing = ServerCheck.loginRefusal(DAVFailure(.refused, status: 502), try place())
        #expect(failing.code == .failed && !failing.message.contains("added"))
    }
}

/// When the saved login is read, and what follows when the server refuses it.
@Suite struct ServerLoginTests {
    private actor Saved {
        var password: String?
        var error: SecretStoreError?
        private(set) var readings = 0
        private var time: UInt64 = 0

        init(_ password: String?, _ error: SecretStoreError? = nil) { (self.password, self.error) = (password, error) }

        func save(_ password: String?) {
            time += 1
            (self.password, error) = (password, nil)
        }

        func read() throws(SecretStoreError) -> StoredLogin? {
            readings += 1
            if let error { throw error }
            guard let password else { return nil }
            do {
                let secret = try SecretBytes(capacity: 64) { room in
                    room.copyBytes(from: password.utf8)
                    return password.utf8.count
                }
                return StoredLogin(user: "me", password: secret, saved: time)
            } catch {
                throw .noMemory
            }
        }
    }

    private func login(_ saved: Saved, for lifetime: Duration = .seconds(3_600)) -> ServerLogin {
        ServerLogin(at: "https://host", for: lifetime) { () async throws(SecretStoreError) in try await saved.read() }
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
        for (error, reason) in [(nil, .loginNeeded), (.locked, .loginUnreadable), (.noService, .loginUnreadable)]
            as [(SecretStoreError?, DAVFailure.Reason)]
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
