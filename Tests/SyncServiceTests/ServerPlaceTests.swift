import Remotes
import RoundelBus
import Testing
import WebDAV

@testable import SyncService

@Suite("Servers that folders are synced with")
struct ServerPlaceTests {
    private func place(_ text: String) throws -> ServerPlace { try ServerPlace(text, logins: SavedLogins()) }

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
        let again = try self.place(place.text)
        #expect(again.name == address && again.account == place.account && again.text == place.text)
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
        let error = #expect(throws: WorkerError.self) { try RemoteKinds.unused.place(text) }
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
    private func place() throws -> ServerPlace {
        try ServerPlace("webdav+https://me@cloud.example.org/dav/", logins: SavedLogins())
    }

    private func refusal(_ failure: DAVFailure) throws -> WorkerError { WorkerError(try place().refusal(failure)) }

    private func loginRefusal(_ failure: DAVFailure) throws -> WorkerError {
        WorkerError(try place().loginRefusal(failure))
    }

    @Test("A server, or a proxy, that fails is no server without WebDAV", arguments: [500, 502, 504, 599])
    func failing(status: Int) throws {
        let refusal = try self.refusal(DAVFailure(.refused, status: status))
        #expect(refusal.code == .failed)
        #expect(refusal.message.contains("status \(status)") && !refusal.message.contains("WebDAV"))
    }

    @Test("A server that does not know a method, or says what is none, has no WebDAV", arguments: [501, 400, 200])
    func withoutWebDAV(status: Int) throws {
        let reason: DAVFailure.Reason = status == 200 ? .malformed : .refused
        let refusal = try self.refusal(DAVFailure(reason, status: status))
        #expect(refusal.message.contains("does not understand WebDAV"), "\(refusal.message)")
    }

    @Test("Of the reasons why a login is not known to be right, one alone says that it is wrong")
    func logins() throws {
        let refused = try loginRefusal(DAVFailure(.loginRefused, status: 401))
        #expect(refused.code == .loginNeeded)
        let reasons: [DAVFailure.Reason] = [
            .unreachable, .silent, .cancelled, .untrusted, .movedElsewhere, .loginNeeded, .loginUnreadable,
            .throttled(seconds: nil), .malformed, .refused,
        ]
        for reason in reasons {
            let refusal = try loginRefusal(DAVFailure(reason))
            #expect(refusal.code == .failed && !refusal.message.isEmpty, "\(reason)")
        }
        let failing = try loginRefusal(DAVFailure(.refused, status: 502))
        #expect(failing.code == .failed && !failing.message.contains("added"))
    }
}
