import Glibc
import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// What servers tell of shares and locks: recorded answers.
@Suite("What a server tells of shares and locks")
struct ToldAccessTests {
    /// The form of an answer of Nextcloud, with the properties of its app files_lock; made up but for the names.
    private static func answer(_ properties: String) -> String {
        """
        <?xml version="1.0"?>
        <d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">
        <d:response><d:href>/remote.php/dav/files/eva/a</d:href>
        <d:propstat><d:prop>\(properties)</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
        <d:propstat><d:prop><oc:checksums/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>
        </d:response></d:multistatus>
        """
    }

    private func access(_ properties: String) throws -> ItemAccess? {
        let parser = try #require(MultistatusParser(wanted: ToldAccess.properties))
        let items = try parser.read(Array(Self.answer(properties).utf8)) + parser.finish()
        return ToldAccess.access(try #require(items.first), user: "eva")
    }

    @Test("The letters of one's own file and directory")
    func own() throws {
        let file = try #require(try access("<oc:permissions>RGDNVW</oc:permissions><oc:share-types/>"))
        #expect(file == ItemAccess([.share, .delete, .rename, .move, .write]))
        #expect(!file.isReadOnly(.file) && file.marks(.file) == [])
        let directory = try #require(try access("<oc:permissions>RGDNVCK</oc:permissions>"))
        #expect(!directory.isReadOnly(.directory) && directory.marks(.directory) == [])
    }

    @Test("What somebody shares to be read, and what one shares")
    func shared() throws {
        let received = "<oc:permissions>SRMG</oc:permissions><oc:owner-display-name>Ana</oc:owner-display-name>"
        let access = try #require(try access(received))
        #expect(access == ItemAccess([.share, .isShared], sharedBy: "Ana"))
        #expect(access.marks(.file) == [.shared, .readOnly] && access.marks(.directory) == [.shared, .readOnly])
        let given = try self.access(
            """
            <oc:permissions>RGDNVW</oc:permissions><oc:owner-display-name>Eva</oc:owner-display-name>
            <oc:share-types><oc:share-type>0</oc:share-type><oc:share-type>3</oc:share-type></oc:share-types>
            """)
        #expect(given?.marks(.file) == .shared && given?.sharedBy == "")
    }

    @Test(
        "A lock of somebody else, or of a program, locks; one's own does not",
        arguments: [
            ("1", "ben", "0", true), ("true", "ben", "0", true), ("1", "eva", "0", false), ("1", "eva", "1", true),
            ("0", "ben", "0", false), ("", "", "", false),
        ])
    func locked(lock: String, by owner: String, kind: String, isLocked: Bool) throws {
        let told = try access(
            """
            <oc:permissions>RGDNVW</oc:permissions><nc:lock>\(lock)</nc:lock><nc:lock-owner>\(owner)</nc:lock-owner>
            <nc:lock-owner-type>\(kind)</nc:lock-owner-type><nc:lock-owner-displayname>Ben</nc:lock-owner-displayname>
            """)
        #expect(told?.facts.contains(.isLocked) == isLocked && told?.lockedBy == (isLocked ? "Ben" : ""))
        // What the user has locked can be unlocked in a menu, and is no sign.
        #expect(told?.facts.contains(.isOwnLock) == (owner == "eva" && kind == "0"))
        #expect(told?.marks(.file).contains(.locked) == isLocked)
    }

    @Test("Nothing is told by a server without letters, and not asked of one that was not found to have them")
    func nothing() throws {
        #expect(try access("<oc:permissions/>") == nil && access("<oc:id>1</oc:id>") == nil)
        var traits = ServerTraits()
        #expect(ServerVersions(KnownTraits(traits)).properties.isDisjoint(with: ToldAccess.properties))
        traits.tellsAccess = true
        #expect(ServerVersions(KnownTraits(traits)).properties.isSuperset(of: ToldAccess.properties))
    }
}

/// What others share and lock on our own Nextcloud, which knows one person: it is told to it.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct ShareAccessTests {
    private static let readOnly = #"{"shares": {"docs": {"letters": "SRMG", "owner": "Ana"}}}"#
    private static let writable = #"{"shares": {"docs": {"letters": "SRMGDNVWCK", "owner": "Ana"}}}"#

    private func mode(_ scene: QuirkScene, _ name: String) -> UInt32 {
        var status = stat()
        return stat(scene.folder.local[name].string, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func modes(_ scene: QuirkScene) -> [UInt32] {
        ["docs", "docs/a", "docs/in", "docs/in/b", "own"].map { mode(scene, $0) }
    }

    /// Something of one's own changes, so that the top directory is listed.
    private func sync(_ scene: QuirkScene, _ news: String) async throws {
        try await scene.put(news, to: "news")
        try await scene.folder.syncAll()
    }

    private func begin(_ scene: QuirkScene) async throws {
        for name in ["docs/a", "docs/in/b", "own"] { try scene.folder.local.write("first of \(name)", to: name) }
        try await sync(scene, "0")
        #expect(modes(scene) == [0o755, 0o644, 0o755, 0o644, 0o644])
    }

    @Test("A share that may be read alone is read-only here until it may be written")
    func share() async throws {
        try await QuirkScene.play { scene in
            try await begin(scene)
            try scene.control.set(Self.readOnly)
            try scene.control.forgetRequests()
            try await sync(scene, "1")
            #expect(modes(scene) == [0o555, 0o444, 0o555, 0o444, 0o644])
            try scene.control.set(Self.writable)
            try await sync(scene, "2")
            #expect(modes(scene) == [0o755, 0o644, 0o755, 0o644, 0o644])
            let requests = try scene.control.requests().filter { !$0.hasPrefix("PROPFIND") && !$0.hasSuffix("/news") }
            #expect(requests == [])
            #expect(scene.folder.errors == [])
        }
    }

    @Test("What is changed in it nevertheless stays here and is not sent; what is deleted or moved comes back")
    func changed() async throws {
        try await QuirkScene.play(Self.writable) { scene in
            try await begin(scene)
            try scene.control.set(Self.readOnly)
            try await sync(scene, "1")
            let there = try scene.there()
            try scene.control.forgetRequests()
            let local = scene.folder.local
            for name in ["docs", "docs/a", "docs/in"] { chmod(local[name].string, 0o755) }
            try local.write("changed", to: "docs/a")
            try local.write("new", to: "docs/new")
            try local.rename("docs/in/b", to: "docs/in/c")
            try await scene.folder.syncAll()
            try await scene.folder.syncAll()
            let here = try scene.here()
            #expect(here["docs/a"] == "first of docs/a" && here["docs/in/b"] == "first of docs/in/b")
            #expect(here.values.contains("changed") && here["docs/new"] == "new")
            #expect(try FileTree.differences(scene.there(), there) == [])
            let sent = try scene.control.requests().filter { $0.hasPrefix("PUT") || $0.hasPrefix("MOVE") }
            #expect(sent == [])
            #expect(mode(scene, "docs/a") & 0o222 == 0)
        }
    }

    @Test("A refusal that no listing announced is learnt from: nothing is sent a second time")
    func unannounced() async throws {
        try await QuirkScene.play { scene in
            try await begin(scene)
            try scene.control.set(Self.readOnly)
            try scene.control.forgetRequests()
            try scene.folder.local.write("changed", to: "docs/a")
            for _ in 0..<3 { try await scene.folder.syncAll() }
            #expect(try scene.control.requests().count { $0.hasPrefix("PUT") } <= 1)
            let here = try scene.here()
            #expect(here["docs/a"] == "first of docs/a" && here.values.contains("changed"))
        }
    }

    @Test("A lock of somebody else is told, and what is written meanwhile waits")
    func locked() async throws {
        try await QuirkScene.play { scene in
            try await begin(scene)
            try scene.control.set(#"{"locks": {"own": {"by": "ben", "name": "Ben", "kind": 0}}}"#)
            let traits = try await ServerProbe(scene.client, in: .constant("probe")).run()
            #expect(traits.tellsAccess)
            let remote = WebDAVRemote(scene.client, traits: traits, owner: .constant("test"))
            let entry = try await remote.entry(RelativePath([.constant("own")]), in: .none)
            #expect(entry?.access?.marks(.file) == .locked && entry?.access?.lockedBy == "Ben")
            try scene.folder.local.write("second", to: "own")
            try await scene.folder.syncAll()
            #expect(await scene.folder.putOff().count == 1)
            #expect(try scene.there()["own"] == "first of own" && scene.here()["own"] == "second")
        }
    }
}
