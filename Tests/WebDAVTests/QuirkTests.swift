import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// What a folder does while a server has its moods: nothing is lost on either side, what can be synced is, what cannot
/// is told, and all of it is done when the mood is over.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct QuirkTests {
    fileprivate final class Scene {
        let server: TestServer
        let client: DAVClient
        let control: CloudControl
        private(set) var folder: ServerFolder

        init(_ server: TestServer, _ client: DAVClient, _ control: CloudControl) async throws {
            self.server = server
            self.client = client
            self.control = control
            folder = try ServerFolder(client, traits: try await Scene.traits(client))
        }

        /// The folder goes on as in another run, with what the server can do by now.
        func restart() async throws {
            try await folder.stop()
            folder = try ServerFolder(client, traits: try await Scene.traits(client), after: folder)
        }

        private static func traits(_ client: DAVClient) async throws -> ServerTraits {
            try await ServerProbe(client, in: try #require(EntryName("probe"))).run()
        }

        func here() throws -> [String: String] { try FileTree.read(folder.local.path) }
        func there() throws -> [String: String] { try FileTree.read(server.files) }

        /// Another client writes a file.
        func put(_ text: String, to name: String) async throws {
            _ = try await client.write(
                QuirkTests.path(name), length: Int64(text.utf8.count), parts: OneBuffer(text), if: .none)
        }

        /// Both sides come to hold this, and stay so.
        func expectBoth(_ wanted: [String: String]) async throws {
            var (mine, theirs): ([String], [String]) = ([], [])
            for _ in 0..<20 {
                try await folder.syncAll()
                mine = FileTree.differences(try here(), wanted)
                theirs = FileTree.differences(try there(), wanted)
                if mine.isEmpty && theirs.isEmpty { break }
            }
            #expect(mine == [])
            #expect(theirs == [])
            let last = try await folder.syncAll()
            #expect(last == RunSummary())
        }

        /// Nothing is left where uploads wait for their names.
        func expectNothingStaged() {
            let staged = (try? FileTree.read(server.files.appending(".roundel/test/staging"))) ?? [:]
            // Where dot-files do not show, directories that were deleted stay, as they may hold some.
            #expect(staged.keys.filter { !$0.hasSuffix("/") }.isEmpty)
        }
    }

    /// - Parameter quirks: JSON; on before anything is asked of the server.
    fileprivate func play(_ quirks: String = "{}", _ body: (Scene) async throws -> Void) async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        try control.set(quirks)
        let client = try server.client()
        var scene: Scene?
        let result: Result<Void, any Error>
        do {
            let begun = try await Scene(server, client, control)
            scene = begun
            result = .success(try await body(begun))
        } catch {
            result = .failure(error)
        }
        try? await scene?.folder.stop()
        await client.shutDown()
        try result.get()
    }

    private static func path(_ text: String) throws -> RelativePath {
        RelativePath(try text.split(separator: "/").map { try #require(EntryName(String($0))) })
    }

    // MARK: What people do

    /// More than is sent in one request to its place.
    private static let large = String(repeating: "0123456789abcdef", count: 20_000)

    /// What both sides hold at first.
    private static let first: [String: String] = {
        let names = [
            "edited here", "edited there", "renamed here", "renamed there", "deleted here", "deleted there",
            "gone here/inside", "gone there/inside", "docs/edited here", "docs/edited there", "docs/deleted here",
        ]
        return QuirkTests.withDirectories(Dictionary(uniqueKeysWithValues: names.map { ($0, "first of \($0)") }))
    }()

    /// What both sides are to hold when all was synced that was changed.
    fileprivate static let wanted = QuirkTests.withDirectories([
        "edited here": "second, from here", "edited there": "second, from there",
        "new name here": "first of renamed here", "new name there": "first of renamed there",
        "docs/edited here": "second in docs, from here", "docs/edited there": "second in docs, from there",
        "new here/file": "new, from here", "new there/file": "new, from there", "large here": large,
    ])

    private static func withDirectories(_ files: [String: String]) -> [String: String] {
        var all = files
        for name in files.keys where name.contains("/") {
            let directory = String(name.prefix { $0 != "/" })
            all["\(directory)/"] = ""
        }
        return all
    }

    /// Both sides begin with the same.
    fileprivate func begin(_ scene: Scene) async throws {
        for (name, text) in Self.first where !name.hasSuffix("/") { try scene.folder.local.write(text, to: name) }
        try await scene.expectBoth(Self.first)
    }

    /// What people do here, and with another client there.
    fileprivate func change(_ scene: Scene) async throws {
        let (local, client) = (scene.folder.local, scene.client)
        for name in ["edited here", "docs/edited here", "new here/file", "large here"] {
            try local.write(Self.wanted[name] ?? "", to: name)
        }
        try local.rename("renamed here", to: "new name here")
        for name in ["deleted here", "docs/deleted here", "gone here"] { try local.remove(name) }
        _ = try await client.makeDirectory(Self.path("new there"))
        for name in ["edited there", "docs/edited there", "new there/file"] {
            try await scene.put(Self.wanted[name] ?? "", to: name)
        }
        _ = try await client.move(
            Self.path("renamed there"), to: Self.path("new name there"), isDirectory: false, if: .none,
            overwrites: false)
        _ = try await client.remove(Self.path("deleted there"), isDirectory: false, if: .none)
        _ = try await client.remove(Self.path("gone there"), isDirectory: true, if: .none)
    }

    /// Each name holds what it held, or what it is to hold.
    fileprivate func expectNothingLost(
        _ now: [String: String], from before: [String: String], to after: [String: String]
    ) {
        let names = Set(now.keys).union(before.keys).union(after.keys)
        let wrong = names.filter { now[$0] != before[$0] && now[$0] != after[$0] }
        #expect(wrong.sorted() == [])
    }

    // MARK: Habits

    /// What a server does otherwise all the time, without a need to tell anybody of it.
    struct Habit: CustomTestStringConvertible, Sendable {
        var quirks: String
        /// Whether it is taken up when the folder is synced already.
        var isNew = false

        var testDescription: String { isNew ? "\(quirks) later" : quirks }

        static let all = [
            Habit(quirks: #"{"slow": 0.03}"#),
            Habit(quirks: #"{"slow": 0.03}"#, isNew: true),
            Habit(quirks: #"{"no-tag-in-answers": true}"#),
            Habit(quirks: #"{"no-tag-in-answers": true}"#, isNew: true),
            Habit(quirks: #"{"coarse-tags": true}"#),
            Habit(quirks: #"{"weak-tags": true}"#),
            Habit(quirks: #"{"weak-tags": true}"#, isNew: true),
            Habit(quirks: #"{"weak-tags": "headers"}"#),
            Habit(quirks: #"{"weak-tags": "headers"}"#, isNew: true),
            Habit(quirks: #"{"no-moves": {"paths": true}}"#),
            Habit(quirks: #"{"no-moves": {"paths": true}}"#, isNew: true),
            Habit(quirks: #"{"body-limit": 100000}"#),
            Habit(quirks: #"{"body-limit": 100000}"#, isNew: true),
            Habit(quirks: #"{"own-checksums": ["SHA1", "MD5", "ADLER32"]}"#),
            Habit(quirks: #"{"truncated-contents": true}"#, isNew: true),
            Habit(quirks: #"{"truncated-contents": {"count": 2}, "no-ranges": true}"#, isNew: true),
            Habit(quirks: #"{"folds-case": true, "hides-dot-files": true}"#),
            Habit(quirks: #"{"no-bulk": true, "object-storage": true, "checks-checksums": true}"#),
            Habit(quirks: #"{"no-bulk": true, "object-storage": true, "checks-checksums": true}"#, isNew: true),
        ]
    }

    @Test("What a server does in its own way makes no difference to people", arguments: Habit.all)
    func habit(_ habit: Habit) async throws {
        try await play(habit.isNew ? "{}" : habit.quirks) { scene in
            try await begin(scene)
            if habit.isNew { try scene.control.set(habit.quirks) }
            try await change(scene)
            try await scene.expectBoth(Self.wanted)
            #expect(scene.folder.errors == [])
            #expect(!scene.folder.wasOffline)
            scene.expectNothingStaged()
        }
    }

    @Test("Object storage takes a large file in chunks, also where checksums are checked")
    func chunks() async throws {
        try await play(#"{"object-storage": true, "checks-checksums": true}"#) { scene in
            try await scene.folder.syncAll()
            for text in ["0123456789abcdef", "fedcba98765432100"] {
                let contents = String(repeating: text, count: 40 << 16)
                try scene.control.forgetRequests()
                try scene.folder.local.write(contents, to: "large")
                try await scene.expectBoth(["large": contents])
                #expect(try scene.control.requests().count { $0.hasPrefix("MOVE") && $0.hasSuffix("/.file") } == 1)
            }
            #expect(scene.folder.errors == [])
            scene.expectNothingStaged()
        }
    }

    @Test("An administrator who forbids links is heard", arguments: [false, true])
    func links(areForbidden: Bool) async throws {
        let server = try TestServer(.nextcloud)
        try CloudControl(server).set(#"{"no-share-links": \#(areForbidden)}"#)
        let client = try server.client()
        let traits = try? await ServerProbe(client, in: .constant("probe")).run()
        await client.shutDown()
        #expect(traits?.givesShareLinks == !areForbidden)
    }

    // MARK: Troubles

    /// What a server does for a while.
    struct Trouble: CustomTestStringConvertible, Sendable {
        /// How people learn of it.
        enum Sign: Sendable {
            case offline, waiting
            /// What cannot be synced says so: with this word, unless it is a directory that cannot be read.
            case error(String?)
        }

        var name: String
        /// JSON.
        var value: String
        var sign: Sign
        /// How the names begin that stay on the server as they are, while all else is synced; nil where that is not
        /// certain.
        var waiting: [String]?

        var testDescription: String { "\(name): \(value)" }

        private static let files = "/remote.php/dav/files/\(TestServer.user)"
        private static let uploads = ["edited here", "docs/edited here", "new here/file", "large here"]

        private static let lasting: [Trouble] = [
            Trouble(name: "maintenance", value: "true", sign: .offline),
            Trouble(name: "locked", value: "true", sign: .waiting, waiting: [""]),
            Trouble(
                name: "locked", value: #"{"path": "\#(Trouble.files)/edited%20here"}"#, sign: .waiting,
                waiting: ["edited here"]),
            Trouble(name: "quota", value: "1", sign: .error("no-space"), waiting: Trouble.uploads),
            Trouble(name: "quota", value: "100000", sign: .error("no-space"), waiting: ["large here"]),
            Trouble(name: "read-only", value: "true", sign: .error("denied"), waiting: [""]),
            Trouble(name: "read-only", value: #"["docs"]"#, sign: .error("denied"), waiting: ["docs/"]),
            Trouble(name: "truncated-listing", value: "true", sign: .offline),
            Trouble(name: "truncated-listing", value: #""malformed""#, sign: .offline),
            Trouble(name: "truncated-listing", value: #"{"path": "\#(Trouble.files)/docs"}"#, sign: .offline),
            Trouble(
                name: "truncated-listing", value: #"{"path": "\#(Trouble.files)/docs", "how": "malformed"}"#,
                sign: .error(nil)),
            Trouble(name: "lost-request", value: "true", sign: .offline),
        ]

        private static let lost: [Trouble] = ["GET", "PROPFIND", "PUT", "MKCOL", "MOVE", "DELETE"].map { method in
            Trouble(name: "lost-request", value: #"{"method": "\#(method)"}"#, sign: .offline)
        }

        static let all: [Trouble] = lasting + lost
    }

    @Test("What a server does not do is told, and done when it does", arguments: Trouble.all)
    func trouble(_ trouble: Trouble) async throws {
        try await play { scene in
            try await begin(scene)
            #expect(!scene.folder.wasOffline && scene.folder.errors == [])
            try await change(scene)
            let (here, there) = (try scene.here(), try scene.there())
            try scene.control.set(#"{"\#(trouble.name)": \#(trouble.value)}"#)
            try await syncWithTrouble(scene, trouble, there)
            expectNothingLost(try scene.here(), from: here, to: Self.wanted)
            expectNothingLost(try scene.there(), from: there, to: Self.wanted)
            try await expectTold(scene, trouble.sign)
            try scene.control.set(#"{"\#(trouble.name)": null}"#)
            // A person who looks again does not wait for as long as the server asked.
            scene.client.resume()
            try await scene.expectBoth(Self.wanted)
            #expect(scene.folder.status?.counts.errors == 0)
        }
    }

    /// Syncs, and expects that all is done that can be.
    private func syncWithTrouble(_ scene: Scene, _ trouble: Trouble, _ before: [String: String]) async throws {
        guard let waiting = trouble.waiting else {
            for _ in 0..<2 { try await scene.folder.syncAll() }
            return
        }
        var expected = Self.wanted
        for name in Set(before.keys).union(Self.wanted.keys) where waiting.contains(where: { name.hasPrefix($0) }) {
            expected[name] = before[name]
        }
        var (mine, theirs): ([String], [String]) = ([], [])
        for _ in 0..<5 {
            try await scene.folder.syncAll()
            mine = FileTree.differences(try scene.here(), Self.wanted)
            theirs = FileTree.differences(try scene.there(), expected)
            if mine.isEmpty && theirs.isEmpty { break }
        }
        #expect(mine == [])
        #expect(theirs == [])
    }

    private func expectTold(_ scene: Scene, _ sign: Trouble.Sign) async throws {
        switch sign {
        case .offline: try await scene.folder.waitForStatus { $0.phase == .offline }
        case .waiting:
            try await scene.folder.waitForStatus { $0.counts.pending > 0 }
            #expect(scene.folder.errors == [])
        case .error(let word):
            try await scene.folder.waitForStatus { $0.state == .error }
            if let word {
                let last = try await scene.folder.syncAll()
                #expect(last.errors > 0)
                #expect(scene.folder.errors.contains { $0.contains(word) })
            }
            #expect(!scene.folder.wasOffline)
        }
    }

    /// Why a server could not be tried.
    struct Refusal: CustomTestStringConvertible, Sendable {
        var quirks: String
        var reason: DAVFailure.Reason

        var testDescription: String { quirks }

        static let all = [
            Refusal(quirks: #"{"maintenance": true}"#, reason: .throttled(seconds: 120)),
            Refusal(quirks: #"{"read-only": true}"#, reason: .denied),
            Refusal(quirks: #"{"locked": true}"#, reason: .locked),
            Refusal(quirks: #"{"quota": 1}"#, reason: .noSpace),
            Refusal(quirks: #"{"lost-request": true}"#, reason: .unreachable),
            Refusal(quirks: #"{"no-moves": true}"#, reason: .refused),
        ]
    }

    @Test("Of a server that cannot be tried it is known why, and nothing is left there", arguments: Refusal.all)
    func refused(_ refusal: Refusal) async throws {
        let server = try TestServer(.nextcloud)
        try CloudControl(server).set(refusal.quirks)
        let client = try server.client()
        var reason: DAVFailure.Reason?
        do throws(DAVFailure) {
            _ = try await ServerProbe(client, in: .constant("probe")).run()
        } catch {
            reason = error.reason
        }
        await client.shutDown()
        #expect(reason == refusal.reason)
        #expect(try FileTree.read(server.files).isEmpty)
    }

    // MARK: Names

    @Test(
        "Names that a server refuses for the sake of Windows are told, and hold up nothing else",
        arguments: [false, true])
    func windowsNames(isFromTheBeginning: Bool) async throws {
        let quirk = #"{"windows-names": true}"#
        try await play(isFromTheBeginning ? quirk : "{}") { scene in
            let local = scene.folder.local
            for name in ["plain", "renamed", "docs/plain"] { try local.write("first of \(name)", to: name) }
            try await scene.folder.syncAll()
            try scene.control.set(quirk)
            for name in ["con", "a:b", "dot.", "docs/blank ", "aux/inside"] { try local.write("of \(name)", to: name) }
            try local.rename("renamed", to: "what?")
            try local.write("second", to: "plain")
            try await scene.put("theirs", to: "docs/theirs")
            try await scene.folder.syncAll()
            let last = try await scene.folder.syncAll()
            #expect(last.errors > 0)
            #expect(scene.folder.errors.contains { $0.contains("unusable-name") })
            let wanted = [
                "plain": "second", "what?": "first of renamed", "con": "of con", "a:b": "of a:b", "dot.": "of dot.",
                "docs/": "", "docs/plain": "first of docs/plain", "docs/theirs": "theirs",
                "docs/blank ": "of docs/blank ", "aux/": "", "aux/inside": "of aux/inside",
            ]
            let taken = [
                "plain": "second", "renamed": "first of renamed", "docs/": "", "docs/plain": "first of docs/plain",
                "docs/theirs": "theirs",
            ]
            #expect(try scene.here() == wanted)
            #expect(try scene.there() == taken)
            try scene.control.set(#"{"windows-names": null}"#)
            if isFromTheBeginning { try await scene.restart() }
            try await scene.expectBoth(wanted)
        }
    }

    @Test("Of names that differ in case alone, which a server takes for one, none replaces another")
    func foldedCase() async throws {
        try await play(#"{"folds-case": true}"#) { scene in
            let local = scene.folder.local
            try local.write("first of title", to: "title")
            try await scene.folder.syncAll()
            try local.rename("title", to: "Title")
            try await scene.expectBoth(["Title": "first of title"])
            for name in ["Note", "note", "readme", "other"] { try local.write("here, of \(name)", to: name) }
            try await scene.put("there, of README", to: "README")
            for _ in 0..<3 { try await scene.folder.syncAll() }
            // Of each two that the server takes for one, one is not there, which is said.
            #expect(scene.folder.status?.state == .error && scene.folder.status?.counts.errors ?? 0 >= 2)
            let wanted = [
                "Title": "first of title", "Note": "here, of Note", "note": "here, of note",
                "readme": "here, of readme", "README": "there, of README", "other": "here, of other",
            ]
            // What is on this computer can be told apart here.
            #expect(FileTree.differences(try scene.here(), wanted) == [])
            let there = try scene.there()
            expectNothingLost(there, from: [:], to: wanted)
            #expect(there["README"] != nil && there["readme"] == nil && there["other"] != nil)
            #expect((there["Note"] == nil) != (there["note"] == nil))
            try await scene.folder.waitForStatus {
                $0.state == .error || $0.counts.errors > 0 || $0.counts.pending > 0
            }
            try scene.control.set(#"{"folds-case": null}"#)
            try await scene.expectBoth(wanted)
        }
    }

    @Test("What a server would not show again is kept here, and put there when it shows it")
    func hiddenNames() async throws {
        try await play(#"{"hides-dot-files": true}"#) { scene in
            let local = scene.folder.local
            for name in [".settings", "docs/.hidden", "shown"] { try local.write("of \(name)", to: name) }
            try await scene.put("theirs", to: ".theirs")
            try await scene.folder.syncAll()
            let last = try await scene.folder.syncAll()
            #expect(last.errors == 2)
            #expect(scene.folder.errors.allSatisfy { $0.contains("hidden-name") })
            let mine = [
                ".settings": "of .settings", "docs/": "", "docs/.hidden": "of docs/.hidden", "shown": "of shown",
            ]
            #expect(try scene.here() == mine)
            #expect(try scene.there() == [".theirs": "theirs", "docs/": "", "shown": "of shown"])
            try scene.control.set(#"{"hides-dot-files": null}"#)
            try await scene.restart()
            try await scene.expectBoth(mine.merging([".theirs": "theirs"]) { $1 })
        }
    }

    // MARK: What a server leaves out

    @Test(
        "What a server leaves out of its listings without a word is lost on neither side, and comes back",
        arguments: [#""hides-dot-files": true"#, #""truncated-listing": "short""#])
    func leftOut(_ quirk: String) async throws {
        try await play { scene in
            let local = scene.folder.local
            let names = [".settings", "a", "b", "c", "d", "e", "docs/.hidden", "docs/a", "docs/b", "docs/c"]
            for name in names { try local.write("first of \(name)", to: name) }
            try await scene.folder.syncAll()
            try scene.control.set("{\(quirk)}")
            // Without a change there nothing would be listed.
            for name in ["a", "docs/a"] { try await scene.put("second of \(name)", to: name) }
            try local.write("new", to: "new")
            let before = try scene.there()
            for _ in 0..<2 { try await scene.folder.syncAll() }
            let (here, there) = (try scene.here(), try scene.there())
            // A client cannot know better than that it is gone; it is not to take it from the server for that.
            expectNothingLost(there, from: before, to: before.merging(["new": "new"]) { $1 })
            for (name, text) in here where before[name] == nil { #expect(name == "new" && text == "new") }
            try scene.control.set(#"{"hides-dot-files": null, "truncated-listing": null}"#)
            for name in ["later", "docs/later"] { try await scene.put("later", to: name) }
            try await scene.expectBoth(
                before.merging(["new": "new", "later": "later", "docs/later": "later"]) { $1 })
        }
    }

    // MARK: A restored server

    @Test("After a restore that the server tells of, nothing newer is replaced or deleted here")
    func restored() async throws {
        try await play { scene in
            let local = scene.folder.local
            for name in ["edited here", "edited there", "same", "docs/same"] {
                try local.write("first of \(name)", to: name)
            }
            // A server that was never restored has no fingerprint yet.
            try await scene.folder.syncAll()
            for fingerprint in ["one", "another"] {
                let (deleted, new) = ("deleted before \(fingerprint)", "new before \(fingerprint)")
                try local.write("of \(deleted)", to: deleted)
                try await scene.folder.syncAll()
                try scene.control.backUp()
                try local.write("here, since the backup for \(fingerprint)", to: "edited here")
                try local.write("here, \(new)", to: new)
                try local.remove(deleted)
                try await scene.put("there, since the backup for \(fingerprint)", to: "edited there")
                try await scene.put("there, \(new)", to: "docs/\(new)")
                try await scene.folder.syncAll()
                let before = try scene.here()
                #expect(FileTree.differences(before, try scene.there()) == [])
                try scene.control.restore()
                try scene.control.set(#"{"fingerprint": "\#(fingerprint)"}"#)
                try await expectUnited(scene, before)
                // What was deleted since is there again, rather than what is older deletes what is newer.
                #expect(try scene.here()[deleted] == "of \(deleted)")
            }
            #expect(scene.folder.errors == [])
        }
    }

    /// Both sides become the same, and all names and contents are there that were here.
    private func expectUnited(_ scene: Scene, _ before: [String: String]) async throws {
        var (here, differences) = (before, ["nothing was synced"])
        for _ in 0..<20 where !differences.isEmpty {
            try await scene.folder.syncAll()
            here = try scene.here()
            differences = FileTree.differences(here, try scene.there())
        }
        #expect(differences == [])
        #expect(Set(before.keys).subtracting(here.keys).sorted() == [])
        #expect(Set(before.values).subtracting(here.values).sorted() == [])
        let last = try await scene.folder.syncAll()
        #expect(last == RunSummary())
        #expect(scene.folder.status?.stopReason == nil)
    }

    @Test("A restore that the server does not tell of stops the folder, before anything newer is replaced")
    func restoredSilently() async throws {
        try await play { scene in
            let local = scene.folder.local
            for number in 1...12 { try local.write("first of \(number)", to: "\(number)") }
            try await scene.folder.syncAll()
            try scene.control.backUp()
            let before = try scene.there()
            for number in 1...8 { try local.write("second of number \(number)", to: "\(number)") }
            try local.write("new", to: "new")
            try await scene.folder.syncAll()
            let newer = try scene.here()
            #expect(try scene.there() == newer)
            try scene.control.restore()
            try await scene.folder.syncAll()
            try await scene.folder.waitForStatus { $0.phase == .stopped && $0.stopReason == .remoteRestored }
            try await scene.folder.syncAll()
            #expect(try scene.here() == newer)
            #expect(try scene.there() == before)
        }
    }
}

/// What a folder makes of answers that are not so.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct LyingServerTests {
    private let quirks = QuirkTests()

    /// What a server says that is not so; the requests are carried out.
    struct Lie: CustomTestStringConvertible, Sendable {
        var method: String
        /// JSON.
        var told: String

        var testDescription: String { "\(method): \(told)" }

        private static func lies(_ method: String, _ told: [String]) -> [Lie] {
            told.map { Lie(method: method, told: $0) }
        }

        private static func statuses(_ method: String, _ statuses: [Int]) -> [Lie] {
            lies(method, statuses.map { #""status": \#($0)"# })
        }

        static let all =
            statuses("PROPFIND", [200, 404, 412, 423, 502])
            + lies(
                "PROPFIND",
                [
                    #""body": """#, #""body": "<html><body>Hello</body></html>""#,
                    #""body": "<d:multistatus xmlns:d=\"DAV:\"/>""#, #""replace": {"</d:multistatus>": ""}"#,
                    #""replace": {"/remote.php/dav/files/": "/elsewhere/"}"#,
                    #""replace": {"</d:getcontentlength>": "0</d:getcontentlength>"}"#,
                    #""replace": {"&quot;": ""}"#, #""replace": {"d:getetag": "d:noetag"}"#,
                    #""replace": {"<d:collection/>": ""}"#,
                ])
            + statuses("GET", [204, 206, 301, 403, 404, 412, 500, 502])
            + lies(
                "GET",
                [
                    #""headers": {"ETag": null, "OC-ETag": null}"#, #""headers": {"ETag": "\"other\""}"#,
                    #""headers": {"OC-Checksum": "MD5:00000000000000000000000000000000"}"#,
                ])
            + statuses("PUT", [202, 207, 403, 404, 409, 412, 413, 423, 500, 502, 507])
            + lies(
                "PUT",
                [
                    #""headers": {"ETag": null, "OC-ETag": null}"#,
                    #""headers": {"ETag": "\"other\"", "OC-ETag": "\"other\""}"#,
                    #""headers": {"OC-FileId": "00000000other"}"#,
                ])
            + statuses("MOVE", [207, 403, 404, 409, 412, 423, 500, 502])
            + statuses("DELETE", [207, 403, 404, 412, 423, 500, 502])
            + statuses("MKCOL", [403, 405, 409, 423, 500, 502])
    }

    @Test("Whatever a server says that is not so, nothing is lost, and what is not synced is told", arguments: Lie.all)
    func lie(_ lie: Lie) async throws {
        try await quirks.play { scene in
            try await quirks.begin(scene)
            try await quirks.change(scene)
            let (here, there) = (try scene.here(), try scene.there())
            try scene.control.set(#"{"lying": {"method": "\#(lie.method)", \#(lie.told)}}"#)
            for _ in 0..<2 { try await scene.folder.syncAll() }
            quirks.expectNothingLost(try scene.here(), from: here, to: QuirkTests.wanted)
            quirks.expectNothingLost(try scene.there(), from: there, to: QuirkTests.wanted)
            let isDone =
                try FileTree.differences(scene.here(), QuirkTests.wanted).isEmpty
                && FileTree.differences(scene.there(), QuirkTests.wanted).isEmpty
            if !isDone {
                try await scene.folder.waitForStatus {
                    $0.phase != .idle || $0.counts.errors + $0.counts.pending > 0 || $0.state == .error
                }
            }
            try scene.control.set(#"{"lying": null}"#)
            scene.client.resume()
            try await scene.expectBoth(QuirkTests.wanted)
            #expect(scene.folder.status?.counts.errors == 0)
        }
    }
}
