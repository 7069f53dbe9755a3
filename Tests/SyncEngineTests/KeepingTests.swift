import Foundation
import Glibc
import SyncCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct KeepingTests {
    @Test func theTrashIsLaidOutAsTheSpecificationSays() throws {
        let world = try EndpointWorld()
        try world.folder.write("one", to: "x/report.txt")
        try world.folder.write("two", to: "y/report.txt")
        for path in ["x/report.txt", "y/report.txt"] {
            try world.local.remove(RelativePath(text: path), kind: .file, expecting: world.version(.local, path))
        }
        #expect(try world.data.names(in: "Trash/files") == ["report.txt", "report.txt.2"])
        #expect(try world.data.names(in: "Trash/info") == ["report.txt.2.trashinfo", "report.txt.trashinfo"])
        let lines = try world.data.read("Trash/info/report.txt.trashinfo").split(separator: "\n")
        #expect(lines[0] == "[Trash Info]")
        #expect(lines.contains("Path=\(world.folder.path)/x/report.txt"))
        let date = try #require(lines.first { $0.hasPrefix("DeletionDate=") })
        #expect(date.wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
    }

    @Test("A home trash that cannot be opened is not replaced by one where nobody looks")
    func homeTrashInTrouble() throws {
        let (folder, data) = (try TemporaryDirectory(), try TemporaryDirectory())
        let root = try DirectoryHandle(absolute: folder.path)
        try data.write("in the way", to: "Trash")
        #expect(throws: Errno.self) { try DesktopTrash(for: root, at: folder.path, dataHome: data.path) }
        try data.remove("Trash")
        _ = try DesktopTrash(for: root, at: folder.path, dataHome: data.path)
        #expect(try data.names(in: "Trash").sorted() == ["files", "info"])
    }

    @Test func aNameOf255BytesHasRoomForItsNote() throws {
        let world = try EndpointWorld()
        let name = String(repeating: "n", count: 255)
        try world.folder.write("x", to: name)
        try world.local.remove(RelativePath(text: name), kind: .file, expecting: world.version(.local, name))
        #expect(try world.data.names(in: "Trash/files").count == 1)
        #expect(try world.data.names(in: "Trash/info").allSatisfy { $0.hasSuffix(".trashinfo") })
    }

    @Test func aVersionThatCameBeforeTheRemovalStays() throws {
        let world = try EndpointWorld()
        try world.folder.write("synced", to: "a")
        let seen = try world.version(.local, "a")
        try world.folder.write("edited", to: "a")
        let failure = #expect(throws: EffectFailure.self) {
            try world.local.remove(RelativePath(text: "a"), kind: .file, expecting: seen)
        }
        #expect(failure?.reason == .changed)
        #expect(try world.folder.read("a") == "edited")
    }

    @Test func aDirectoryWithSomethingInItIsNotRemoved() throws {
        let world = try EndpointWorld()
        try world.folder.write("x", to: "d/new")
        let failure = #expect(throws: EffectFailure.self) {
            try world.local.remove(
                RelativePath(text: "d"), kind: .directory, expecting: world.version(.local, "d"))
        }
        #expect(failure?.reason == .notEmpty)
        #expect(try world.folder.read("d/new") == "x")
    }

    /// A store whose versions age by clocks that a test sets.
    private func store(
        in directory: TemporaryDirectory, _ clocks: Clocks, limits: ReplacedStore.Limits = ReplacedStore.Limits()
    ) throws -> ReplacedStore {
        try directory.makeDirectory("replaced")
        return ReplacedStore(
            try DirectoryHandle(absolute: directory.path.appending("replaced")),
            agingBy: LivedClock(in: try DirectoryHandle(absolute: directory.path)) { clocks.reading }, limits: limits)
    }

    private final class Clocks: Sendable {
        private let state: Mutex<LivedTime.Reading>
        init(_ reading: LivedTime.Reading) { state = Mutex(reading) }
        var reading: LivedTime.Reading {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test func replacedVersionsGoByAgeThenByTheOldestBeyondTheSize() throws {
        let directory = try TemporaryDirectory()
        let clocks = Clocks(.init(boot: "one", sinceBoot: 0, calendar: 1_000_000))
        let store = try store(in: directory, clocks, limits: ReplacedStore.Limits(age: 100, size: 10))
        for (date, text) in [(0, "too old"), (950, "aaaaaa"), (960, "bbbbbb"), (970, "cc")] {
            clocks.reading.sinceBoot = Int64(date)
            let slot = try store.announce(KeptNote(RelativePath(text: "f\(date)"), .replaced, date: Int64(date)))
            try directory.write(text, to: "replaced/" + slot.description)
        }
        clocks.reading.sinceBoot = 1_000
        #expect(try store.prune().bytes == 8)
        #expect(try store.versions().map(\.path.description) == ["f960", "f970"])
        #expect(try directory.names(in: "replaced").count == 4)
        // What is too old goes also where there is room for it.
        clocks.reading.sinceBoot = 1_065
        #expect(try store.prune().bytes == 2)
        #expect(try store.versions().map(\.path.description) == ["f970"])
    }

    @Test("what is too large for the store is left out and the others stay; holes take no room")
    func tooLarge() throws {
        let directory = try TemporaryDirectory()
        let clocks = Clocks(.init(boot: "one", sinceBoot: 0, calendar: 1_000_000))
        let store = try store(in: directory, clocks, limits: ReplacedStore.Limits(age: 100, size: 10))
        var slots: [EntryName] = []
        for (date, text) in [(1, "aaaaaa"), (2, String(repeating: "l", count: 20_000)), (3, "bb"), (4, "")] {
            slots.append(try store.announce(KeptNote(RelativePath(text: "f\(date)"), .replaced, date: Int64(date))))
            try directory.write(text, to: "replaced/" + slots[slots.count - 1].description)
        }
        #expect(truncate(directory["replaced/" + slots[3].description].string, 1 << 40) == 0)
        #expect(try store.prune().bytes == 8)
        #expect(try store.versions().map(\.path.description) == ["f1", "f3", "f4"])
        #expect(try store.versions().map(\.size) == [6, 2, 1 << 40])
    }

    @Test("no more versions are kept than can be listed, the oldest go first")
    func tooMany() throws {
        let directory = try TemporaryDirectory()
        let clocks = Clocks(.init(boot: "one", sinceBoot: 0, calendar: 1_000_000))
        let store = try store(in: directory, clocks, limits: ReplacedStore.Limits(age: 100, size: 1_000, count: 3))
        for date in 1...7 {
            let slot = try store.announce(KeptNote(RelativePath(text: "f\(date)"), .replaced, date: Int64(date)))
            try directory.write("x", to: "replaced/" + slot.description)
        }
        #expect(try store.prune().bytes == 3)
        #expect(try store.versions().map(\.path.description) == ["f5", "f6", "f7"])
    }

    @Test(
        "a full store makes room for some more at once, and its notes are read again only when that is used up",
        arguments: [
            (ReplacedStore.Limits(size: 10_000, count: 16), [17, 20, 23]),
            (ReplacedStore.Limits(size: 320, count: 1_000), [33, 36, 39]),
            // The number is not exceeded.
            (ReplacedStore.Limits(size: 320, count: 33), [33, 36, 39]),
        ])
    func roomAtOnce(limits: ReplacedStore.Limits, expected: [Int]) throws {
        let directory = try TemporaryDirectory()
        let clocks = Clocks(.init(boot: "one", sinceBoot: 0, calendar: 1_000_000))
        let store = try store(in: directory, clocks, limits: limits)
        let kept = KeptCount()
        var readings: [Int] = []
        for date in 1...(expected.last ?? 0) {
            let slot = try store.announce(KeptNote(RelativePath(text: "f\(date)"), .replaced, date: Int64(date)))
            try directory.write("ten bytes.", to: "replaced/" + slot.description)
            kept.add(try store.directory.status(of: slot))
            guard kept.isOver(limits) else { continue }
            readings.append(date)
            let left = try store.prune()
            kept.wasCounted(left)
            #expect(try store.versions().map(\.path.description) == (date - left.versions + 1...date).map { "f\($0)" })
        }
        #expect(readings == expected)
    }

    @Test("a calendar that jumps costs no kept version, in one boot or over a restart")
    func calendarJumps() throws {
        let directory = try TemporaryDirectory()
        let start = LivedTime.Reading(boot: "one", sinceBoot: 500, calendar: 1_700_000_000)
        let clocks = Clocks(start)
        func opened() throws -> ReplacedStore {
            if directory.exists("replaced") {
                return ReplacedStore(
                    try DirectoryHandle(absolute: directory.path.appending("replaced")),
                    agingBy: LivedClock(in: try DirectoryHandle(absolute: directory.path)) { clocks.reading })
            }
            return try store(in: directory, clocks)
        }
        let slot = try opened().announce(KeptNote(RelativePath(text: "f"), .replaced, date: start.calendar))
        try directory.write("precious", to: "replaced/" + slot.description)
        let twoYears: Int64 = 2 * 365 * 86_400
        clocks.reading.calendar += twoYears
        #expect(try opened().prune().bytes == 8)
        clocks.reading = LivedTime.Reading(boot: "two", sinceBoot: 30, calendar: start.calendar + 2 * twoYears)
        #expect(try opened().prune().bytes == 8)
        clocks.reading = LivedTime.Reading(boot: "three", sinceBoot: 30, calendar: 0)
        #expect(try opened().prune().bytes == 8)
        clocks.reading.sinceBoot += 28 * 86_400
        #expect(try opened().prune().bytes == 8)
        // One day for the restart with the wrong date, and thirty that it has run.
        clocks.reading.sinceBoot += 2 * 86_400
        #expect(try opened().prune().bytes == 0)
    }

    @Test("a count that is lost lets nothing go early, neither what was kept before nor what is kept after")
    func countIsLost() throws {
        let directory = try TemporaryDirectory()
        let clocks = Clocks(.init(boot: "one", sinceBoot: 200 * 86_400, calendar: 1_700_000_000))
        let before = try store(in: directory, clocks)
        _ = try before.prune()
        clocks.reading.sinceBoot += 100 * 86_400
        let slot = try before.announce(KeptNote(RelativePath(text: "old"), .replaced, date: 1))
        try directory.write("old", to: "replaced/" + slot.description)
        try directory.remove("lived")
        let handle = try DirectoryHandle(absolute: directory.path.appending("replaced"))
        let after = ReplacedStore(
            handle, agingBy: LivedClock(in: try DirectoryHandle(absolute: directory.path)) { clocks.reading })
        let other = try after.announce(KeptNote(RelativePath(text: "new"), .replaced, date: 2))
        try directory.write("new", to: "replaced/" + other.description)
        #expect(try after.prune().bytes == 6)
        clocks.reading.sinceBoot += 29 * 86_400
        #expect(try after.prune().bytes == 6)
        clocks.reading.sinceBoot += 2 * 86_400
        #expect(try after.prune().bytes == 0)
    }

    @Test("A directory whose place was gone after a power failure goes with its age too, and stops nothing before")
    func directoryAges() throws {
        let directory = try TemporaryDirectory()
        let clocks = Clocks(.init(boot: "one", sinceBoot: 0, calendar: 1_000_000))
        let store = try store(in: directory, clocks, limits: ReplacedStore.Limits(age: 100, size: 1 << 20))
        let slot = try store.announce(KeptNote(RelativePath(text: "gone/d"), .replaced, date: 0))
        try directory.write("x", to: "replaced/\(slot)/inner/file")
        clocks.reading.sinceBoot = 50
        let later = try store.announce(KeptNote(RelativePath(text: "f"), .replaced, date: 50))
        try directory.write("later", to: "replaced/\(later)")
        #expect(try store.prune().bytes > 0 && store.versions().count == 2)
        clocks.reading.sinceBoot = 120
        _ = try store.prune()
        #expect(try store.versions().map(\.path) == [RelativePath(text: "f")])
        let other = try store.announce(KeptNote(RelativePath(text: "gone/d"), .replaced, date: 0))
        try directory.write("x", to: "replaced/\(other)/inner/file")
        #expect(try store.makeRoom(for: 1 << 20, except: []) > 0)
        #expect(try directory.names(in: "replaced").isEmpty)
    }

    @Test func anExchangeThatNeverHappenedLeavesNoVersion() throws {
        let directory = try TemporaryDirectory()
        let handle = try DirectoryHandle(absolute: directory.path)
        let clock = try TemporaryDirectory()
        let store = ReplacedStore(handle, agingBy: LivedClock(in: try DirectoryHandle(absolute: clock.path)))
        try directory.write("new contents, not yet exchanged", to: "staged")
        let inode = try handle.status(of: .constant("staged")).inode
        let slot = try store.announce(KeptNote(RelativePath(text: "f"), .replaced, date: 10, placeholder: inode))
        try handle.rename(.constant("staged"), to: slot, in: handle)
        #expect(try store.versions().isEmpty)
        try store.removeLeftovers()
        #expect(try directory.names().isEmpty)
    }

    @Test(
        "A version whose note is lost is kept as long as one that came today, however long the store has been there",
        arguments: [nil, "", "Pa", "\0\0\0\0", "Path=f\nDate=1\n"])
    func noteIsLost(rest: String?) throws {
        let directory = try TemporaryDirectory()
        let day: Int64 = 86_400
        let clocks = Clocks(.init(boot: "one", sinceBoot: 0, calendar: 1_700_000_000))
        let store = try store(in: directory, clocks)
        _ = try store.prune()
        clocks.reading.sinceBoot += 40 * day
        try directory.write("precious", to: "replaced/0123456789abcdef")
        if let rest { try directory.write(rest, to: "replaced/0123456789abcdef.info") }
        try store.removeLeftovers()
        #expect(try store.prune().bytes == 8)
        clocks.reading.sinceBoot += 29 * day
        try store.removeLeftovers()
        #expect(try store.prune().bytes == 8)
        #expect(try directory.read("replaced/0123456789abcdef") == "precious")
        let version = try #require(try store.versions().first)
        #expect(version.path.description == (rest?.hasPrefix("Path=") == true ? "f" : "0123456789abcdef"))
        clocks.reading.sinceBoot += 2 * day
        #expect(try store.prune().bytes == 0)
        #expect(try directory.names(in: "replaced").isEmpty)
    }

    @Test("What is kept with a note that cannot be read stays until it can be read")
    func noteCannotBeRead() throws {
        let directory = try TemporaryDirectory()
        let clocks = Clocks(.init(boot: "one", sinceBoot: 0, calendar: 1_700_000_000))
        let store = try store(in: directory, clocks, limits: ReplacedStore.Limits(age: 100, size: 10))
        let slot = try store.announce(KeptNote(RelativePath(text: "f"), .replaced, date: 1))
        try directory.write("precious", to: "replaced/" + slot.description)
        let note = "replaced/\(ReplacedStore.note(slot))"
        try directory.rename(note, to: "note")
        // Reading it fails, and not because it is missing.
        try directory.makeDirectory(note)
        clocks.reading.sinceBoot += 90
        #expect(try store.prune().bytes == 8)
        try store.removeLeftovers()
        #expect(try store.makeRoom(for: 1 << 40, except: []) == 0)
        #expect(try store.versions().map(\.size) == [8])
        try directory.remove(note)
        try directory.rename("note", to: note)
        #expect(try store.prune().bytes == 8)
        clocks.reading.sinceBoot += 11
        #expect(try store.prune().bytes == 0)
    }

    @Test("What never fits costs no kept version")
    func neverFits() throws {
        let directory = try TemporaryDirectory()
        let clocks = Clocks(.init(boot: "one", sinceBoot: 0, calendar: 1_700_000_000))
        let store = try store(in: directory, clocks, limits: ReplacedStore.Limits(age: 100, size: 1 << 30))
        for number in 0..<3 {
            let slot = try store.announce(KeptNote(RelativePath(text: "f\(number)"), .replaced, date: 1))
            try directory.write("precious", to: "replaced/" + slot.description)
        }
        #expect(try store.makeRoom(for: 1 << 40, except: [], onlyIfEnough: true) == 0)
        #expect(try store.versions().count == 3)
        #expect(try store.makeRoom(for: 1, except: [], onlyIfEnough: true) > 0)
        #expect(try store.versions().count == 2)
        #expect(try store.makeRoom(for: 1 << 40, except: []) > 0)
        #expect(try store.versions().isEmpty)
    }

    @Test("A note on a directory that cannot be read stays")
    func noteOnDirectoryCannotBeRead() throws {
        let directory = try TemporaryDirectory()
        let handle = try DirectoryHandle(absolute: directory.path)
        let store = ReplacedStore(handle, agingBy: LivedClock(in: handle))
        // A link is not followed, so this is neither missing nor a note.
        let link = directory["0123456789abcdef.info"].string
        #expect(symlink("elsewhere", link) == 0)
        try store.removeLeftovers()
        #expect(directory.exists("0123456789abcdef.info"))
    }

    @Test("Where inode numbers are made up, a version with the number of a placeholder is no placeholder")
    func madeUpInodes() throws {
        let directory = try TemporaryDirectory()
        let handle = try DirectoryHandle(absolute: directory.path)
        let clock = try TemporaryDirectory()
        let store = ReplacedStore(
            handle, agingBy: LivedClock(in: try DirectoryHandle(absolute: clock.path)), on: .foreign)
        try directory.write("precious", to: "mine")
        let inode = try handle.status(of: .constant("mine")).inode
        let slot = try store.announce(KeptNote(RelativePath(text: "f"), .replaced, date: 10, placeholder: inode))
        try handle.rename(.constant("mine"), to: slot, in: handle)
        #expect(try store.versions().map(\.path.description) == ["f"])
        try store.removeLeftovers()
        #expect(try store.prune().bytes == 8)
        #expect(try directory.read(slot.description) == "precious")
    }

    @Test(
        "A date of the trash that no calendar has is one that can be calculated with",
        arguments: ["2147483647-01-01T00:00:00", "0-01-01T00:00:00", "2147483647-2147483647-1T2147483647:0:0"])
    func impossibleDate(date: String) throws {
        let (folder, data) = (try TemporaryDirectory(), try TemporaryDirectory())
        let trash = try DesktopTrash(
            for: DirectoryHandle(absolute: folder.path), at: folder.path, dataHome: data.path)
        try data.write("x", to: "Trash/files/a")
        try data.write(
            "[Trash Info]\nPath=\(folder.path)/a\nDeletionDate=\(date)\n\(DesktopTrash.ownMark)\n",
            to: "Trash/info/a.trashinfo")
        let dates = trash.ownEntries().map(\.date)
        #expect(dates.allSatisfy { $0 >= 0 && !$0.multipliedReportingOverflow(by: 1_000_000).overflow }, "\(dates)")
    }

    @Test("A pipe among the notes of the trash is not waited for")
    func pipeInTheTrash() throws {
        let (folder, data) = (try TemporaryDirectory(), try TemporaryDirectory())
        let trash = try DesktopTrash(
            for: DirectoryHandle(absolute: folder.path), at: folder.path, dataHome: data.path)
        for name in ["a", "b"] { try data.write("x", to: "Trash/files/\(name)") }
        try data.write(
            "[Trash Info]\nPath=\(folder.path)/a\nDeletionDate=2026-01-01T00:00:00\n\(DesktopTrash.ownMark)\n",
            to: "Trash/info/a.trashinfo")
        #expect(mkfifo("\(data.path)/Trash/info/b.trashinfo", 0o600) == 0)
        #expect(trash.ownEntries().map(\.path.description) == ["a"])
    }

    @Test func aSecondWorkerOnAStateDirectoryIsRefused() throws {
        let directory = try TemporaryDirectory()
        let first = try StateLock(directory: directory.path)
        let failure = #expect(throws: StateLock.Failure.self) { _ = try StateLock(directory: directory.path) }
        guard case .held? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        withExtendedLifetime(first) {}
    }

    @Test func theLockGoesWithItsHolder() throws {
        let directory = try TemporaryDirectory()
        do { _ = try StateLock(directory: directory.path) }
        _ = try StateLock(directory: directory.path)
    }
}

extension DesktopTrash {
    fileprivate func ownEntries() -> [KeptVersion] {
        var entries: [KeptVersion] = []
        forEachOwnEntry { entries.append($0) }
        return entries
    }
}
