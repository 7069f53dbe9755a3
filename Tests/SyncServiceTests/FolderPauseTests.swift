import DBus
import Foundation
import Glibc
import RoundelBus
import Support
import SyncCore
import TestSupport
import Testing

@testable import SyncService

/// F8: a folder is paused for good or for a time.
@Suite struct FolderPauseTests {
    private static let now: Int64 = 1_780_000_000_000_000
    private static let day: Int64 = 86_400_000_000

    private func folder(_ id: String, _ pause: FolderPause?) -> FolderSettings {
        var folder = FolderSettings(id: id, uri: "file:///\(id)", remote: "/r", label: id, added: 0)
        folder.pause = pause
        return folder
    }

    @Test("The end is a moment to come; what is none never becomes a pause for good")
    func options() throws {
        #expect(try FolderPause([:], now: Self.now) == .untilResumed)
        for end in [Self.now + 1, .max] {
            #expect(try FolderPause(["until": .int64(end)], now: Self.now) == .until(end))
        }
        let bad: [DBusValue] = [
            .int64(Self.now), .int64(0), .int64(-1), .int64(.min), .uint64(.max), .string("18:00"), .bool(true),
        ]
        for value in bad {
            let error = #expect(throws: RoundelError.self) { try FolderPause(["until": value], now: Self.now) }
            #expect(error?.code == .invalidTime, "\(value)")
        }
    }

    @Test("Each folder goes on when its own moment has come; nothing wakes for those that a person resumes")
    func ends() {
        #expect(PauseEnds([folder("a", nil), folder("b", .untilResumed)]).next(after: Self.now) == nil)
        let soon = Self.now + 60_000_000
        let ends = PauseEnds([folder("a", .until(soon)), folder("b", .untilResumed), folder("c", .until(.max))])
        #expect(ends.over(at: soon - 1).isEmpty && ends.next(after: Self.now) == soon)
        #expect(ends.over(at: soon) == ["a"])
        // A machine that was asleep, and a clock that was set, in either direction.
        #expect(ends.over(at: soon + 100 * Self.day) == ["a"])
        #expect(ends.over(at: soon - 100 * Self.day).isEmpty)
        #expect(PauseEnds([folder("a", .until(.min))]).over(at: Self.now) == ["a"])
        // At midnight, “tomorrow” is another day.
        let midnight = LocalDay.start(1, after: Self.now)
        #expect(PauseEnds([folder("c", .until(.max))]).next(after: Self.now) == midnight)
        #expect(midnight > Self.now && midnight <= Self.now + 2 * Self.day)
    }

    @Test("The end is told in the words of a person")
    func words() {
        let midnight = LocalDay.start(1, after: Self.now)
        #expect(TimeText.coming(midnight - 1, now: Self.now) == "23:59")
        #expect(TimeText.coming(midnight, now: Self.now) == "tomorrow 00:00")
        let later = TimeText.coming(LocalDay.start(2, after: Self.now), now: Self.now)
        #expect(later.hasSuffix(" 00:00") && later.hasPrefix("20"))
        #expect(!TimeText.coming(.max, now: Self.now).hasPrefix("tomorrow"))
    }

    @Test("It is kept in the settings, and an older file without it is one of a pause for good")
    func settings() throws {
        let paused = folder("a", .until(Self.now))
        #expect(try SettingsValue(describing: paused).decoded() as FolderSettings == paused)
        let old = #"{"id": "a", "uri": "file:///a", "remote": "/r", "paused": true}"#
        #expect(try JSONDecoder().decode(FolderSettings.self, from: Data(old.utf8)).pause == .untilResumed)
        var resumed = paused
        resumed.pause = nil
        #expect(!resumed.paused && resumed.pausedUntil == nil)
    }

    private func folders(_ bench: WorkerBench) throws -> [SyncedFolder] {
        try bench.call("ListFolders").first?.maps?.compactMap { SyncedFolder($0) } ?? []
    }

    private func status(_ bench: WorkerBench) throws -> SyncFolderStatus? {
        try bench.call("Status", .string("")).first?.maps?.first.flatMap { SyncFolderStatus($0) }
    }

    private func pause(_ bench: WorkerBench, until end: Int64) throws {
        try bench.call("Pause", .string(""), options: ["until": .int64(end)])
    }

    @Test("A pause replaces the one before; both are told; Resume ends it")
    func replaced() throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        let end = WallClock.microseconds + Self.day
        try pause(bench, until: end)
        #expect(try folders(bench).map(\.pausedUntil) == [end] && status(bench)?.pausedUntil == end)
        #expect(try status(bench)?.text.hasPrefix("Paused until tomorrow ") == true)
        try pause(bench, until: .max)
        #expect(try folders(bench).map(\.pausedUntil) == [.max])
        try bench.call("Pause", id)
        #expect(try folders(bench).map(\.pausedUntil) == [nil] && folders(bench)[0].isPaused)
        try pause(bench, until: end)
        try bench.call("Resume", id)
        #expect(try folders(bench).map(\.pausedUntil) == [nil] && !folders(bench)[0].isPaused)
        #expect(bench.refusal("Pause", id, options: ["until": .int64(1)]) == "InvalidTime")
        #expect(try !folders(bench)[0].isPaused)
        try bench.stop()
    }

    @Test("It ends by itself, whether the worker runs then or not")
    func endsByItself() throws {
        let bench = try WorkerBench()
        _ = try bench.addFolder()
        try pause(bench, until: WallClock.microseconds + 700_000)
        #expect(try folders(bench)[0].isPaused)
        #expect(bench.harness.run(until: { bench.service.folders.all.allSatisfy { !$0.settings.paused } }))
        #expect(bench.harness.run(until: { bench.service.folders.all.allSatisfy { $0.status.phase != .paused } }))
        let end = WallClock.microseconds + 300_000
        try pause(bench, until: end)
        try bench.stop()
        while WallClock.microseconds <= end { usleep(10_000) }
        let next = try WorkerBench(files: bench.files)
        #expect(try !folders(next)[0].isPaused && folders(next)[0].pausedUntil == nil)
        try next.stop()
    }
}
