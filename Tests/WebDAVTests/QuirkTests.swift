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
        try await QuirkScene.play(habit.isNew ? "{}" : habit.quirks) { scene in
            try await scene.begin()
            if habit.isNew { try scene.control.set(habit.quirks) }
            try await scene.change()
            try await scene.expectBoth(QuirkScene.wanted)
            #expect(scene.folder.errors == [])
            #expect(!scene.folder.wasOffline)
            scene.expectNothingStaged()
        }
    }

    @Test("Object storage takes a large file in chunks, also where checksums are checked")
    func chunks() async throws {
        try await QuirkScene.play(#"{"object-storage": true, "checks-checksums": true}"#) { scene in
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
        private static let changes = #""method": ["PUT", "MKCOL", "DELETE", "MOVE"]"#
        private static let uploads = ["edited here", "docs/edited here", "new here/file", "large here"]

        private static let lasting: [Trouble] = [
            Trouble(name: "maintenance", value: "true", sign: .offline),
            Trouble(name: "locked", value: "true", sign: .waiting, waiting: [""]),
            Trouble(
                name: "locked", value: #"{"path": "\#(Trouble.files)/edited%20here"}"#, sign: .waiting,
                waiting: ["edited here"]),
            Trouble(name: "quota", value: "1", sign: .error("no-space"), waiting: Trouble.uploads),
            Trouble(name: "quota", value: "100000", sign: .error("no-space"), waiting: ["large here"]),
            // What a server tells of the rights of its user is another matter: that is not even tried.
            Trouble(
                name: "failing", value: #"{"status": 403, \#(Trouble.changes)}"#, sign: .error("denied"), waiting: [""]),
            Trouble(
                name: "failing", value: #"{"status": 403, "path": "\#(Trouble.files)/docs", \#(Trouble.changes)}"#,
                sign: .error("denied"), waiting: ["docs/"]),
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
        try await QuirkScene.play { scene in
            try await scene.begin()
            #expect(!scene.folder.wasOffline && scene.folder.errors == [])
            try await scene.change()
            let (here, there) = (try scene.here(), try scene.there())
            try scene.control.set(#"{"\#(trouble.name)": \#(trouble.value)}"#)
            try await syncWithTrouble(scene, trouble, there)
            QuirkScene.expectNothingLost(try scene.here(), from: here, to: QuirkScene.wanted)
            QuirkScene.expectNothingLost(try scene.there(), from: there, to: QuirkScene.wanted)
            try await expectTold(scene, trouble.sign)
            try scene.control.set(#"{"\#(trouble.name)": null}"#)
            // A person who looks again does not wait for as long as the server asked.
            scene.client.resume()
            try await scene.expectBoth(QuirkScene.wanted)
            #expect(scene.folder.status?.counts.errors == 0)
        }
    }

    /// Syncs, and expects that all is done that can be.
    private func syncWithTrouble(_ scene: QuirkScene, _ trouble: Trouble, _ before: [String: String]) async throws {
        guard let waiting = trouble.waiting else {
            for _ in 0..<2 { try await scene.folder.syncAll() }
            return
        }
        var expected = QuirkScene.wanted
        for name in Set(before.keys).union(QuirkScene.wanted.keys) where waiting.contains(where: { name.hasPrefix($0) })
        {
            expected[name] = before[name]
        }
        var (mine, theirs): ([String], [String]) = ([], [])
        for _ in 0..<5 {
            try await scene.folder.syncAll()
            mine = FileTree.differences(try scene.here(), QuirkScene.wanted)
            theirs = FileTree.differences(try scene.there(), expected)
            if mine.isEmpty && theirs.isEmpty { break }
        }
        #expect(mine == [])
        #expect(theirs == [])
    }

    private func expectTold(_ scene: QuirkScene, _ sign: Trouble.Sign) async throws {
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
        try await QuirkScene.play(isFromTheBeginning ? quirk : "{}") { scene in
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
        try await QuirkScene.play(#"{"folds-case": true}"#) { scene in
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
            QuirkScene.expectNothingLost(there, from: [:], to: wanted)
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
        try await QuirkScene.play(#"{"hides-dot-files": true}"#) { scene in
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
        try await QuirkScene.play { scene in
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
            QuirkScene.expectNothingLost(there, from: before, to: before.merging(["new": "new"]) { $1 })
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
        try await QuirkScene.play { scene in
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
    private func expectUnited(_ scene: QuirkScene, _ before: [String: String]) async throws {
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
        try await QuirkScene.play { scene in
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
