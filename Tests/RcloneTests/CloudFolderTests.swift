import Glibc
import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import Rclone

/// A folder is synced with remotes of rclone, while another client changes what is there.
@Suite(.serialized, .enabled(if: CloudKind.areInstalled, "needs rclone"))
struct CloudFolderTests {
    @Test("both sides become the same, and stay so", arguments: CloudKind.installed)
    func union(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        try await cloud.put("theirs/there", "from there")
        try await cloud.put("equal", "the same")
        let folder = try cloud.folder { try $0.write("the same", to: "equal") }
        try folder.local.write("", to: "empty")
        try folder.local.write("a", to: "mine/deep/er/a b+&=é%41?#:*\"<>|\\")
        try folder.local.write(String(repeating: "0123456789abcdef", count: 200_000), to: "mine/large")
        try folder.local.makeDirectory("nothing")
        try await folder.syncAll()
        let here = try contents(of: folder.local.path)
        #expect(try await cloud.tree() == here)
        #expect(here["theirs/there"] == "from there")
        #expect(here.count == 10)
        #expect(try await folder.syncAll() == RunSummary())
        #expect(folder.errors.isEmpty)
        #expect(try await cloud.staged().isEmpty && cloud.spooled.isEmpty)
        try await folder.stop()
    }

    @Test("edits, renames and deletions go both ways", arguments: CloudKind.installed)
    func changes(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        let folder = try cloud.folder()
        for name in [
            "edited here", "edited there", "deleted here", "deleted there", "renamed", "d/kept", "e/gone", "f/x",
        ] {
            try folder.local.write("first of \(name)", to: name)
        }
        try await cloud.put("g/theirs", "of a directory that nobody made by itself")
        try await folder.syncAll()
        try folder.local.write("second, from here", to: "edited here")
        try await cloud.put("edited there", "second, from there")
        #expect(unlink(folder.local["deleted here"].string) == 0)
        try await cloud.remove("deleted there")
        #expect(rename(folder.local["renamed"].string, folder.local["new name"].string) == 0)
        #expect(rename(folder.local["d"].string, folder.local["new d"].string) == 0)
        #expect(unlink(folder.local["e/gone"].string) == 0 && rmdir(folder.local["e"].string) == 0)
        // The directories stay, although nothing is in them any more.
        #expect(unlink(folder.local["f/x"].string) == 0 && unlink(folder.local["g/theirs"].string) == 0)
        try await folder.syncAll()
        let expected = [
            "edited here": "second, from here", "edited there": "second, from there",
            "new name": "first of renamed", "new d/": "", "new d/kept": "first of d/kept", "f/": "", "g/": "",
        ]
        let (here, there) = (try contents(of: folder.local.path), try await cloud.tree())
        #expect(here == expected)
        #expect(there == expected, "the remote has \(there)")
        #expect(try await folder.syncAll() == RunSummary())
        #expect(folder.errors.isEmpty)
        #expect(try await cloud.staged().isEmpty && cloud.spooled.isEmpty)
        try await folder.stop()
    }

    @Test("a root whose mark is missing or another is asked about", arguments: CloudKind.installed)
    func strangeRoot(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        let folder = try cloud.folder()
        for number in 1...5 { try folder.local.write("of \(number)", to: "file \(number)") }
        try await folder.syncAll()
        let names = try await cloud.client.list(RcloneArea.path).names
        let mark = try #require(RcloneArea.mark(among: names))
        let before = try contents(of: folder.local.path)
        try await cloud.client.removeFile(RcloneArea.place(ofMark: mark))
        try await cloud.remove("file 3")
        try await folder.syncAll()
        #expect(folder.status?.stopReason == .remoteReplaced)
        #expect(try contents(of: folder.local.path) == before)
        try await folder.syncAll(answering: .sameRoot)
        try await folder.syncAll()
        #expect(folder.status?.stopReason == nil)
        #expect(try contents(of: folder.local.path) == before.filter { $0.key != "file 3" })
        let again = try await cloud.client.list(RcloneArea.path).names
        #expect(RcloneArea.mark(among: again) == mark)
        try await folder.stop()
    }

    @Test("of two changes neither is lost", arguments: CloudKind.installed)
    func conflict(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        let folder = try cloud.folder()
        try folder.local.write("first", to: "a")
        try await folder.syncAll()
        try folder.local.write("second, from here", to: "a")
        try await cloud.put("a", "other, from there")
        try await folder.syncAll()
        let (here, there) = (try contents(of: folder.local.path), try await cloud.tree())
        #expect(here["a"] == "other, from there", "\(folder.errors) \(there) \(folder.status.map { "\($0)" } ?? "")")
        #expect(here.count == 2 && here.values.contains("second, from here"))
        #expect(there == here)
        try await folder.stop()
    }

    @Test(
        "what somebody tidied away is made again",
        arguments: CloudKind.installed.filter { [.directory, .objects, .ssh, .s3].contains($0) })
    func tidied(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        let folder = try cloud.folder()
        try folder.local.write("first", to: "a")
        try await folder.syncAll()
        if !kind.isBucket { try await cloud.client.removeDirectory(cloud.path(".roundel/test/staging")) }
        try folder.local.write("second", to: "b")
        for _ in 0..<20 where try await cloud.tree()["b"] != "second" { try await folder.syncAll() }
        #expect(try await cloud.tree() == ["a": "first", "b": "second"])
        try await folder.stop()
    }

    @Test("a root that was emptied, its mark with it, is no deletion")
    func emptied() async throws {
        let cloud = try await TestCloud(.objects)
        let folder = try cloud.folder()
        try folder.local.write("first", to: "a")
        try await folder.syncAll()
        let mark = try #require(
            try await cloud.client.list(cloud.path(".roundel")).names.first { $0.hasPrefix("root-") })
        try await cloud.remove("a")
        try await cloud.remove(".roundel/" + mark)
        try await cloud.put("b", "of another root")
        try await cloud.put(".roundel/root-" + String(repeating: "0", count: 32), "another one")
        _ = try? await folder.syncAll()
        #expect(try contents(of: folder.local.path) == ["a": "first"])
        try await folder.stop()
    }

    @Test(
        "two folders on one remote become the same",
        arguments: CloudKind.installed.filter { $0 != .folding && $0 != .written })
    func two(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        // One after the other: how far two may come apart that mark the root at once is another test's matter.
        let one = try cloud.folder { local in
            for index in 0..<8 { try local.write("one \(index)", to: "one/\(index)") }
        }
        try await one.syncAll()
        let other = try cloud.folder(owner: "other") { local in
            for index in 0..<8 { try local.write("other \(index)", to: "other/\(index)") }
        }
        try await other.syncAll()
        try await one.syncAll()
        #expect(try contents(of: one.local.path).count == 18)
        #expect(try contents(of: one.local.path) == contents(of: other.local.path))
        try one.local.write("changed", to: "other/3")
        #expect(rename(other.local["one"].string, other.local["uno"].string) == 0)
        for _ in 0..<2 {
            try await other.syncAll()
            try await one.syncAll()
        }
        let here = try contents(of: one.local.path)
        #expect(here["uno/7"] == "one 7" && here["other/3"] == "changed")
        #expect(try here == contents(of: other.local.path))
        #expect(try await cloud.tree() == here)
        try await one.stop()
        try await other.stop()
    }

    @Test("a name that differs from another in case alone is not put over it")
    func foldedNames() async throws {
        let cloud = try await TestCloud(.folding)
        try await cloud.put("Notes", "theirs")
        let folder = try cloud.folder()
        try folder.local.write("mine", to: "notes")
        let last = try await folder.syncAll()
        #expect(last.errors == 1)
        #expect(try contents(of: folder.local.path) == ["Notes": "theirs", "notes": "mine"])
        #expect(try await cloud.tree() == ["Notes": "theirs"])
        try await folder.stop()
    }

    @Test("rclone is ended again and again, and nothing is lost")
    func killed() async throws {
        let cloud = try await TestCloud(.directory)
        let folder = try cloud.folder()
        for index in 0..<60 {
            try folder.local.write(String(repeating: "\(index) ", count: 40_000), to: "d\(index % 6)/\(index)")
        }
        let killer = Task { [service = cloud.service] in
            var killed = 0
            while !Task.isCancelled {
                if let child = await service.child, kill(child, SIGKILL) == 0 { killed += 1 }
                try? await Task.sleep(for: .milliseconds(Int.random(in: 400...1_200)))
            }
            return killed
        }
        for _ in 0..<4 { _ = try? await folder.syncAll() }
        killer.cancel()
        #expect(await killer.value > 0)
        // Where it had just died when it was asked, the side counts as away for a moment.
        for _ in 0..<40 where try await cloud.tree().count < 66 { try await folder.syncAll() }
        #expect(try await cloud.tree() == contents(of: folder.local.path))
        try await folder.stop()
    }
}
