import DBus
import RoundelBus
import Support
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

@Suite("What a folder may have of the network")
struct NetworkUseTests {
    /// Folders as the settings of an earlier release have them: one on a server that nobody runs, one on rclone, and
    /// one with a directory.
    private static func settings(_ files: TemporaryDirectory) throws -> String {
        let remotes = [
            "f1": "webdav+http://me@127.0.0.1:9/dav", "f2": "rclone:nobody:x", "f3": files["Remote"].string,
        ]
        let folders = try remotes.sorted { $0.key < $1.key }.map { id, remote in
            try files.makeDirectory(id)
            return """
                {"id": "\(id)", "uri": "file://\(files[id].string)", "remote": "\(remote)", "label": "\(id)",
                 "paused": true, "excludes": [], "added": 1}
                """
        }
        try files.makeDirectory("Remote")
        return "{\"tag\": \"ABCD\", \"folders\": [\(folders.joined(separator: ","))]}"
    }

    private func bench() throws -> WorkerBench {
        let files = try TemporaryDirectory()
        return try WorkerBench(settings: try Self.settings(files), files: files)
    }

    private static let folder = DBusValue.string("f1")

    private func report(_ bench: WorkerBench, _ folder: String = "f1") throws -> VariantMap {
        try #require(try bench.call("NetworkUse", .string(folder)).first?.maps?.first)
    }

    @Test("Folders of an earlier release have no limits and wait on metered connections; directories have no network")
    func usual() throws {
        let bench = try bench()
        let reports = try #require(try bench.call("NetworkUse", .string("")).first?.maps)
        #expect(reports.map { $0.string("id") } == ["f1", "f2"])
        for report in reports {
            for key in ["up", "down", "up-now", "down-now"] { #expect(report.uint64(key) == 0, "\(key)") }
            for key in ["metered", "held"] { #expect(report.bool(key) == false, "\(key)") }
            #expect(report["periods"] == nil && report["changes"] == nil)
        }
        #expect(bench.refusal("NetworkUse", .string("f3")) == "Unsupported")
        #expect(bench.refusal("SetNetworkUse", .string("f3"), .map([:])) == "Unsupported")
        for method in ["NetworkUse", "SetNetworkUse"] {
            let arguments: [DBusValue] = [.string("nothing")] + (method == "NetworkUse" ? [] : [.map([:])])
            #expect(
                try bench.refusalsAtOnce(method, [arguments]) == ["UnknownFolder"], "\(method)")
        }
        try bench.stop()
    }

    @Test("What is set comes back, holds over a restart, and is gone when all is taken back")
    func roundTrip() throws {
        let bench = try bench()
        let office: VariantMap = [
            "from": .uint32(480), "until": .uint32(1_080), "days": .strings(["mon", "fri"]), "up": .uint64(20_000),
            "down": .uint64(0),
        ]
        let night: VariantMap = ["from": .uint32(0), "until": .uint32(1_440), "down": .uint64(0)]
        let use: VariantMap = [
            "up": .uint64(1_000_000_000_000), "down": .uint64(30_000), "periods": .maps([office, night]),
            "metered": .bool(true),
        ]
        try bench.call("SetNetworkUse", Self.folder, .map(use))
        func isKept(_ report: VariantMap) -> Bool {
            use.allSatisfy { report[$0.key] == $0.value } && report.uint64("down-now") == 0
        }
        #expect(isKept(try report(bench)))
        try bench.stop()
        let second = try WorkerBench(files: bench.files)
        #expect(isKept(try report(second)))
        let saved = try WorkerSettings.load(WorkerBench.places(bench.files).settings)
        #expect(saved.folders.map { $0.network != nil } == [true, false, false])
        #expect(saved.folders[0].network?.plan.periods[0].days == [.monday, .friday])
        try second.call("SetNetworkUse", Self.folder, .map([:]))
        #expect(try report(second).uint64("up") == 0)
        #expect(try WorkerSettings.load(WorkerBench.places(bench.files).settings).folders[0].network == nil)
        try second.stop()
    }

    @Test("The limits that hold now and when others do follow from the hours")
    func now() throws {
        let bench = try bench()
        // All of a week but this minute and the next few: whenever the test runs, it is not in them.
        let time = LocalTime.now
        let soon = UInt32(time.later(by: 30).minute)
        let before = UInt32(time.later(by: -30).minute)
        let use: VariantMap = [
            "up": .uint64(50_000),
            "periods": .maps([
                ["from": .uint32(soon), "until": .uint32(before == 0 ? 1_440 : before), "up": .uint64(20_000)]
            ]),
        ]
        try bench.call("SetNetworkUse", Self.folder, .map(use))
        let report = try report(bench)
        #expect(report.uint64("up-now") == 50_000)
        let changes = try #require(report.int64("changes")) / 1_000_000
        let minutes = (changes - WallClock.microseconds / 1_000_000 + 59) / 60
        #expect((28...90).contains(minutes), "a clock that is changed meanwhile makes an hour of difference")
        try bench.stop()
    }

    @Test("What makes no sense is refused, and changes nothing")
    func refused() throws {
        let bench = try bench()
        try bench.call("SetNetworkUse", Self.folder, .map(["up": .uint64(20_000)]))
        let period: VariantMap = ["from": .uint32(0), "until": .uint32(1)]
        func with(_ key: String, _ value: DBusValue?) -> VariantMap {
            var other = period
            other[key] = value
            return ["periods": .maps([other])]
        }
        var cases: [VariantMap] = [
            ["periods": .maps([VariantMap](repeating: period, count: 25))],
            with("from", nil), with("until", nil), with("until", .uint32(0)), with("from", .uint32(1)),
            with("from", .uint32(1_440)), with("until", .uint32(1_441)), with("days", .strings(["mon", "Mon"])),
            with("days", .strings([String(repeating: "x", count: 1 << 19)])), with("days", .strings([""])),
        ]
        for key in ["up", "down"] {
            for limit in [UInt64(1), 19_999, 1_000_000_000_001, .max] {
                cases += [[key: .uint64(limit)], with(key, .uint64(limit))]
            }
        }
        // The smallest and largest of each type, where another one belongs.
        let values: [DBusValue] = [
            .byte(.min), .byte(.max), .bool(false), .bool(true), .int16(.min), .int16(.max), .uint16(.min),
            .uint16(.max),
            .int32(.min), .int32(.max), .uint32(.min), .uint32(.max), .int64(.min), .int64(.max), .uint64(.max),
            .double(-.infinity), .double(.nan), .string(""), .string("500k"), .strings([]), .maps([]), .map([:]),
            .objectPath("/"), .structure([.uint64(1)]),
        ]
        for value in values {
            for key in ["up", "down", "metered", "periods"] {
                if case .bool = value, key == "metered" { continue }
                if value == .maps([]), key == "periods" { continue }
                cases.append([key: value])
            }
            for key in ["from", "until", "up", "down", "days"] {
                if value == .strings([]), key == "days" { continue }
                if case .uint32(.min) = value, key == "from" { continue }
                cases.append(with(key, value))
            }
        }
        for use in cases {
            #expect(bench.refusal("SetNetworkUse", Self.folder, .map(use)) == "InvalidLimit", "\(use)")
        }
        #expect(try report(bench).uint64("up") == 20_000 && report(bench)["periods"] == nil)
        // What only a later version knows is passed over.
        #expect(bench.refusal("SetNetworkUse", Self.folder, .map(["later": .byte(1)])) == nil)
        try bench.stop()
    }

    @Test("What cannot be saved does not hold")
    func notSaved() throws {
        let bench = try bench()
        try bench.files.remove(WorkerBench.settingsFile)
        try bench.files.makeDirectory(WorkerBench.settingsFile)
        #expect(bench.refusal("SetNetworkUse", Self.folder, .map(["up": .uint64(20_000)])) == "Failed")
        #expect(try report(bench).uint64("up-now") == 0)
        try bench.stop()
    }

    @Test("A folder that waits says so, without claiming that it is up to date")
    func words() {
        let status = SessionStatus(phase: .paused, state: .synced, counts: StateCounts())
        let words = FolderWords(
            status: status, isWatched: true, lookedThrough: nil, minutes: 1, isHeldByMeter: true)
        #expect(words.sentence(Explainer(folder: "x")) == "Waiting for a connection that is not metered")
        #expect(words.hubState == .paused && !words.isKnown)
    }
}
