import DBus
import Glibc
import RoundelBus
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

@Suite("What is not synced, why, and how much space there is")
struct ExclusionTests {
    private func items(_ bench: WorkerBench, _ folder: DBusValue, options: VariantMap = [:]) throws -> [SyncExclusion] {
        (try bench.call("ListExcluded", folder, options: options).first?.maps ?? []).compactMap { SyncExclusion($0) }
    }

    private func lines(_ bench: WorkerBench, _ folder: DBusValue) throws -> [String] {
        try items(bench, folder).map { item in
            let name = try ItemURI(item.uri).displayName
            return "\(name) \(item.reason?.text ?? "") \(item.pattern ?? "")\(item.isBundled ? " bundled" : "")"
        }
    }

    private func trial(_ bench: WorkerBench, _ id: DBusValue, _ path: String) throws -> SyncExclusion {
        let map = try #require(try bench.call("TryExcludes", id, .string(path)).first?.map)
        return try #require(SyncExclusion(map))
    }

    private func synced() throws -> (WorkerBench, DBusValue) {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        for name in ["a.tmp", "b.iso", "c.txt", "d/e.iso"] { try bench.files.write("x", to: "Cloud/" + name) }
        #expect(symlink("c.txt", bench.files["Cloud/link"].string) == 0)
        try bench.call("AddExcludes", id, .strings(["*.iso"]))
        try bench.call("Sync", id, options: ["wait": .bool(true)])
        return (bench, id)
    }

    @Test("Each item that is not synced is told with the pattern that decides")
    func list() throws {
        let (bench, id) = try synced()
        let all = ["a.tmp pattern *.tmp bundled", "b.iso pattern *.iso", "e.iso pattern *.iso", "link link "]
        #expect(try lines(bench, id) == all)
        #expect(try lines(bench, bench.uri("Cloud/d")) == ["e.iso pattern *.iso"])
        let some = try bench.call("ListExcluded", id, options: ["limit": .uint32(2)])
        #expect(some.first?.maps?.count == 2 && some.last?.map?.bool("more") == true)
        #expect(try bench.call("ListExcluded", id).last?.map?.bool("more") == nil)
        try bench.stop()
    }

    @Test("A name can be tried before anything has it")
    func trials() throws {
        let (bench, id) = try synced()
        #expect(try trial(bench, id, "new/disk.iso").pattern == "*.iso")
        #expect(try !trial(bench, id, "/c.txt").isExcluded && trial(bench, id, "link").reason == WireWord(.link))
        try bench.call("AddExcludes", id, .strings(["cache/", "!keep.iso"]))
        #expect(try !trial(bench, id, "cache").isExcluded && trial(bench, id, "cache/").isExcluded)
        let within = try trial(bench, id, "cache/keep.iso")
        #expect(within.isExcluded && within.pattern == "cache/" && within.directory?.hasSuffix("/Cloud/cache") == true)
        let kept = try trial(bench, id, "keep.iso")
        #expect(!kept.isExcluded && kept.pattern == "!keep.iso" && kept.directory == nil)
        for bad in ["", "/", "..", "a/../b", "a//b", "./a", String(repeating: "x", count: 256)] {
            #expect(bench.refusal("TryExcludes", id, .string(bad)) == "InvalidName", "\(bad)")
        }
        try bench.stop()
    }

    @Test("One item alone is left out, and comes back")
    func oneItem() throws {
        let (bench, id) = try synced()
        try bench.files.write("x", to: "Cloud/[c].txt")
        let item = bench.uri("Cloud/%5Bc%5D.txt")
        let uris: VariantMap = ["items": .strings([item.string ?? ""])]
        let added = try bench.call("AddExcludes", id, .strings([]), options: uris).last?.map?.strings("added") ?? []
        #expect(added == ["/\\[c].txt"])
        #expect(try trial(bench, id, "[c].txt").pattern == added.first && !trial(bench, id, "c.txt").isExcluded)
        #expect(try bench.call("AddExcludes", id, .strings([]), options: uris).last?.map?.strings("added") == [])
        try bench.call("RemoveExcludes", id, .strings(added))
        #expect(try !trial(bench, id, "[c].txt").isExcluded)
        for bad in ["Cloud", "Elsewhere/x", "Cloud/%FF"] {
            let options: VariantMap = ["items": .strings([bench.uri(bad).string ?? ""])]
            #expect(bench.refusal("AddExcludes", id, .strings([]), options: options) == "InvalidPattern", "\(bad)")
        }
        try bench.stop()
    }

    @Test("The space is told of both sides, and of the folder once it was looked through")
    func space() throws {
        let (bench, id) = try synced()
        let map = try #require(try bench.call("Space", id).first?.map)
        let space = try #require(SyncSpace(map))
        #expect(space.files == 1 && space.bytes == 1 && (space.free ?? 0) > 0 && (space.available ?? 0) > 0)
        try bench.stop()
    }
}
