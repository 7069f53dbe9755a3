import DBus
import RoundelBus
import SyncCore
import TestSupport
import Testing

@testable import SyncService

struct UnseenChangesTests {
    private func path(_ text: String) -> RelativePath {
        RelativePath(text.split(separator: "/").compactMap { EntryName(String($0)) })
    }

    @Test("an item that changed is noted once, with the directories that hold it, and forgotten together")
    func noted() {
        var unseen = UnseenChanges()
        #expect(unseen.note([path("a/b/c"), path("a/d")]) == [path("a/b/c"), path("a/b"), path("a"), path("a/d")])
        #expect(unseen.note([path("a/d"), path("a/b/c"), .root]) == [])
        #expect(unseen.contains(path("a/b")) && !unseen.contains(path("a/b/other")) && !unseen.contains(.root))
        #expect(Set(unseen.takeAll()) == [path("a/b/c"), path("a/b"), path("a"), path("a/d")])
        #expect(unseen.isEmpty && !unseen.contains(path("a")))
    }

    @Test("of more than can be told apart nothing counts as synced, until everything was looked at")
    func tooMany() throws {
        let bench = try WorkerBench()
        for name in ["a", "b"] { try bench.files.write(name, to: "Cloud/\(name)") }
        _ = try bench.addFolder()
        let unit = try #require(bench.service.folders.all.first)
        func shown() throws -> [Badge] {
            try unit.badges.badges(in: unit.uri, names: ["a", "b"].map { try ItemName(bytes: Array($0.utf8)) }).badges
        }
        func sync() throws { _ = try bench.call("Sync", .string(""), options: ["wait": .bool(true)]) }
        try sync()
        #expect(try shown() == [.synced, .synced])
        try bench.files.rename("Remote", to: "Away")
        _ = try? sync()
        unit.changed(.local, items: [path("a")])
        #expect(try shown() == [.pending, .synced])
        unit.changed(.local, items: (0...20_000).map { path("d/\($0)") })
        #expect(try shown() == [.pending, .pending])
        try bench.files.rename("Away", to: "Remote")
        try sync()
        #expect(try shown() == [.synced, .synced])
        try bench.stop()
    }
}
