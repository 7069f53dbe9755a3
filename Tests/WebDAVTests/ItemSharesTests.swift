import Glibc
import RemoteSupport
import Remotes
import Support
import SyncCore
import TestSupport
import Testing

@testable import WebDAV

/// Shares with others, with our own Nextcloud and with servers that say what they like.
@Suite(.serialized) struct ItemSharesTests {
    private static let people = #"""
        {"people": {"ana": {"name": "Ana Lopez", "mail": "ana@x.org"}, "anabel": {"name": "Ana Bel"},
        "crew": {"name": "Crew", "group": true}}}
        """#

    private func path(_ names: String...) throws -> RelativePath {
        RelativePath(try names.map { try #require(EntryName($0)) })
    }

    private func failure(_ body: () async throws -> Void) async -> ItemShares.Failure? {
        do { try await body() } catch { return error as? ItemShares.Failure }
        return nil
    }

    @Test(
        "E12: A share has the recipient, the rights, the end and the password that were chosen, and is listed and ended",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func made() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        try control.set(Self.people)
        let client = try server.client()
        let shares = try #require(ItemShares(client))
        let (directory, file) = (try path("Plans"), try path("Plans", "a & b"))
        _ = try await client.makeDirectory(directory)
        _ = try await client.write(file, length: 1, parts: OneBuffer("x"), if: .none)
        #expect(try await shares.shares(of: file, isDirectory: false).isEmpty)

        var wish = ShareWish(.link, rights: .upload)
        wish.end = CalendarDay("2037-01-02")
        wish.password = SharePassword("long enough")
        let link = try await shares.share(directory, isDirectory: true, wish)
        #expect(link.kind == .link && link.rights == .upload && link.end == "2037-01-02" && link.hasPassword)
        #expect(link.address?.hasPrefix("http://127.0.0.1:\(control.port)/s/") == true && link.made != nil)

        let found = try await shares.recipients("ana", isDirectory: false)
        #expect(found.map(\.id) == ["ana", "anabel"] && found[0].detail == "ana@x.org")
        #expect(try await shares.recipients("crew", isDirectory: false).map(\.kind) == [.group])
        let person = try await shares.share(file, isDirectory: false, ShareWish(.user, with: "ana", rights: .edit))
        #expect(person.recipient?.name == "Ana Lopez" && person.rights == .edit && person.address == nil)
        let group = try await shares.share(directory, isDirectory: true, ShareWish(.group, with: "crew", rights: .edit))
        #expect(group.kind == .group && group.rights == .edit)

        // The same is not made twice, and another one with the same person is not silently another.
        #expect(
            try await shares.share(file, isDirectory: false, ShareWish(.user, with: "ana", rights: .edit)) == person)
        #expect(
            await failure { _ = try await shares.share(file, isDirectory: false, ShareWish(.user, with: "ana")) }
                == .sharedAlready("Ana Lopez"))
        #expect(try await shares.shares(of: file, isDirectory: false) == [person])
        #expect(try await shares.shares(of: directory, isDirectory: true).map(\.id) == [link.id, group.id])

        // A share of another item is not ended with this one.
        #expect(await failure { try await shares.end(link.id, of: file, isDirectory: false) } == .noSuchShare)
        try await shares.end(link.id, of: directory, isDirectory: true)
        #expect(try await shares.shares(of: directory, isDirectory: true).map(\.id) == [group.id])
        #expect(
            await failure { _ = try await shares.share(.root, isDirectory: true, ShareWish(.link)) } == .refused(nil))
        await client.shutDown()
    }

    @Test(
        "E12: Of a share that is changed only what was named is another, and it is said if the server does otherwise",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func changed() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        try control.set(Self.people)
        let client = try server.client()
        let shares = try #require(ItemShares(client))
        let (directory, file) = (try path("Plans"), try path("Plans", "a"))
        _ = try await client.makeDirectory(directory)
        _ = try await client.write(file, length: 1, parts: OneBuffer("x"), if: .none)
        let link = try await shares.share(directory, isDirectory: true, ShareWish(.link, rights: .upload))

        var change = ShareChange()
        (change.end, change.password) = (
            .day(try #require(CalendarDay("2037-01-02"))), .new(SharePassword("long enough"))
        )
        var now = try await shares.change(link.id, of: directory, isDirectory: true, change)
        #expect(now.end == "2037-01-02" && now.hasPassword && now.rights == .upload && now.address == link.address)
        change = ShareChange()
        change.rights = .view
        now = try await shares.change(link.id, of: directory, isDirectory: true, change)
        #expect(now.end == "2037-01-02" && now.hasPassword && now.rights == .view)
        change = ShareChange()
        (change.end, change.password) = (.none, .none)
        now = try await shares.change(link.id, of: directory, isDirectory: true, change)
        #expect(now.end == nil && !now.hasPassword && now.rights == .view)

        // Another item's share is not changed with this one.
        change = ShareChange()
        change.rights = .edit
        #expect(
            await failure { _ = try await shares.change(link.id, of: file, isDirectory: false, change) }
                == .noSuchShare)
        #expect(try await shares.shares(of: directory, isDirectory: true).map(\.rights) == [.view])
        let person = try await shares.share(directory, isDirectory: true, ShareWish(.user, with: "ana"))
        try control.set(#"{"wide-shares": true}"#)
        change.rights = .view
        #expect(
            await failure { _ = try await shares.change(person.id, of: directory, isDirectory: true, change) }
                == .wrongShare(isTakenBack: false))
        await client.shutDown()
    }

    @Test(
        "A share that lets others do more than was chosen is ended again",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func wide() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try server.client()
        let shares = try #require(ItemShares(client))
        let directory = try path("Plans")
        _ = try await client.makeDirectory(directory)
        try control.set(#"{"wide-shares": true}"#)
        #expect(
            await failure { _ = try await shares.share(directory, isDirectory: true, ShareWish(.link)) }
                == .wrongShare(isTakenBack: true))
        #expect(try await shares.shares(of: directory, isDirectory: true).isEmpty)
        await client.shutDown()
    }

    @Test(
        "The server's rules are told before anything is shared",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func rules() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try server.client()
        let shares = try #require(ItemShares(client))
        let plain = try await shares.rules(isDirectory: true)
        #expect(plain.linkRights == [.view, .edit, .upload] && plain.peopleRights == [.view, .edit])
        #expect(!plain.needsPassword && plain.linkEnd.mostDays == nil && plain.leastPassword == 8 && plain.hasGroups)
        #expect(try await shares.rules(isDirectory: false).linkRights == [.view])
        try control.set(#"{"share-passwords": true, "share-days": 14}"#)
        let strict = try await shares.rules(isDirectory: true)
        #expect(strict.needsPassword && strict.linkEnd.mostDays == 14 && strict.peopleEnd.mostDays == nil)
        try control.set(#"{"no-share-links": true}"#)
        #expect(try await shares.rules(isDirectory: true).linkRights.isEmpty)
        await client.shutDown()
    }

    @Test("What a server says about recipients and is not understood is left out")
    func strangeRecipients() async throws {
        let data = #"""
            {"exact": {"users": [7, {"label": "A\nB", "value": {"shareType": 0, "shareWith": "a"}}], "groups": "none"},
            "users": [{"label": "A", "value": {"shareType": 0, "shareWith": "a"}},
            {"label": "Mail", "value": {"shareType": 4, "shareWith": "m@x.org"}},
            {"value": {"shareType": 0, "shareWith": "c"}}], "groups": []}
            """#
        let server = try ScriptedServer(inTurn: [
            ScriptedServer.answer("200 OK", [], #"{"ocs":{"meta":{"statuscode":100},"data":\#(data)}}"#)
        ])
        let client = DAVClient(
            try ServerLocation(server.address + "remote.php/dav/files/user"),
            credentials: Credentials(user: "user", password: "secret"), limits: .patient, clock: { Int64(time(nil)) })
        let shares = try #require(ItemShares(client))
        let found = try await shares.recipients("a", isDirectory: false)
        #expect(found == [.init(kind: .user, id: "a", name: "a"), .init(kind: .user, id: "c", name: "c")])
        await client.shutDown()
    }

    @Test(
        "A file is locked for its user and unlocked, and not if somebody else has it locked",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func locks() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try server.client()
        let file = try path("a")
        _ = try await client.write(file, length: 1, parts: OneBuffer("x"), if: .none)
        try control.set(#"{"file-locks": true}"#)
        #expect(try await ServerCapabilities.read(client)?.locksFiles == true)
        func refusal(_ isLocked: Bool) async -> FileLock.Failure? {
            do throws(FileLock.Failure) {
                try await FileLock.set(isLocked, file, client)
                return nil
            } catch {
                return error
            }
        }
        #expect(await refusal(false) == .refused)
        #expect(await refusal(true) == nil)
        #expect(await refusal(false) == nil)
        await client.shutDown()
    }
}
