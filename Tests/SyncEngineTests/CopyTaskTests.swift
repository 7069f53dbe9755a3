import CLinux
import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// Copying and moving for a person, into folders and out of them.
@Suite struct CopyTaskTests {
    private let source: TemporaryDirectory
    private let target: TemporaryDirectory
    private let data: TemporaryDirectory

    init() throws {
        (source, target, data) = (try TemporaryDirectory(), try TemporaryDirectory(), try TemporaryDirectory())
    }

    private func task(
        _ way: CopyTask.Way, _ names: [String], to place: CopyTask.Place? = nil
    ) -> CopyTask {
        CopyTask(
            way, names.map { CopyTask.Place(root: source.path, path: RelativePath(text: $0)) },
            to: place ?? CopyTask.Place(root: target.path), dataHome: data.path)
    }

    private func placed(_ outcome: CopyOutcome) -> [String] { outcome.placed.map { "\($0.name)" } }

    private func text(_ directory: TemporaryDirectory, _ name: String) throws -> String {
        let file = try DirectoryHandle(absolute: directory.path).open(RelativePath(text: name), O_RDONLY)
        return String(decoding: try file.readAll(limit: 1 << 20), as: UTF8.self)
    }

    private func status(_ directory: TemporaryDirectory, _ name: String) throws -> FileStatus {
        try DirectoryHandle(absolute: directory.path).status(at: RelativePath(text: name))
    }

    @Test("D1: a copy has everything in it, with dates and permissions, and links as links")
    func wholeTree() throws {
        try source.makeDirectory("d/e")
        try source.write("a", to: "d/a")
        try source.write("b", to: "d/e/b")
        try source.setMode("d/a", 0o640)
        #expect(symlink("a", source["d/link"].string) == 0)
        #expect(mkfifo(source["d/pipe"].string, 0o600) == 0)
        let old = try DirectoryHandle(absolute: source.path).open(RelativePath(text: "d/a"), O_RDONLY)
        try old.setModified(1_000_000_007_000_000_009)
        try source.setMode("d/e", 0o555)
        let progress = CopyProgress()
        let outcome = task(.copy, ["d"]).run(progress)
        #expect(placed(outcome) == ["d"] && outcome.failure == nil)
        #expect(outcome.leftOut == (1, "d/pipe"))
        #expect(try text(target, "d/a") == "a" && text(target, "d/e/b") == "b")
        #expect(try status(target, "d/a").modified == 1_000_000_007_000_000_009)
        #expect(try target.mode("d/a") == 0o640 && target.mode("d/e") == 0o555)
        #expect(try status(target, "d/e").modified == status(source, "d/e").modified)
        #expect(try status(target, "d/link").kind == .symlink)
        #expect(try target.names() == ["d"])
        #expect(try text(source, "d/a") == "a")
        #expect(progress.numbers.bytes == 2 && progress.numbers.percent == 100)
        try source.setMode("d/e", 0o755)
        try target.setMode("d/e", 0o755)
    }

    @Test("D1: a copy replaces nothing")
    func takenNames() throws {
        try source.write("new", to: "a.txt")
        try target.write("old", to: "a.txt")
        #expect(placed(task(.copy, ["a.txt"]).run(CopyProgress())) == ["a (copy).txt"])
        #expect(placed(task(.copy, ["a.txt"]).run(CopyProgress())) == ["a (copy 2).txt"])
        #expect(placed(task(.move, ["a.txt"]).run(CopyProgress())) == ["a (copy 3).txt"])
        #expect(try text(target, "a.txt") == "old" && text(target, "a (copy 3).txt") == "new")
        #expect(try source.names() == [])
    }

    @Test("A copy cannot set the user, and is no more readable than the original")
    func permissions() throws {
        try source.write("x", to: "a")
        try source.setMode("a", 0o4700)
        _ = task(.copy, ["a"]).run(CopyProgress())
        #expect(try target.mode("a") == 0o700)
    }

    @Test("A directory is neither copied nor moved into itself", arguments: [CopyTask.Way.copy, .move])
    func intoItself(way: CopyTask.Way) throws {
        try source.makeDirectory("d/e")
        for below in ["d", "d/e"] {
            let place = CopyTask.Place(root: source.path, path: RelativePath(text: below))
            let outcome = task(way, ["d"], to: place).run(CopyProgress())
            #expect(outcome.failure?.reason == .intoItself)
        }
        #expect(try source.names(in: "d") == ["e"] && source.names(in: "d/e") == [])
    }

    @Test(
        "What is incomplete is removed, also where a directory may not be written",
        arguments: [CopyTask.Way.copy, .move])
    func stopped(way: CopyTask.Way) throws {
        try source.makeDirectory("d")
        try source.write("x", to: "d/a")
        let progress = CopyProgress()
        progress.stop()
        #expect(task(way, ["d"]).run(progress).failure?.reason == .stopped)
        #expect(try target.names() == [] && text(source, "d/a") == "x")
    }

    @Test("No symbolic link within a synced folder is followed, neither at its end nor on the way")
    func links() throws {
        let outside = try TemporaryDirectory()
        try outside.write("secret", to: "a")
        #expect(symlink(outside.path.string, source["link"].string) == 0)
        #expect(task(.copy, ["link/a"]).run(CopyProgress()).failure != nil)
        let place = CopyTask.Place(root: source.path, path: RelativePath(text: "link"))
        try source.write("x", to: "x")
        #expect(task(.copy, ["x"], to: place).run(CopyProgress()).failure?.reason == .noDestination)
        #expect(try target.names() == [] && outside.names() == ["a"])
    }

    @Test("The place that a person chose may be a link to a directory")
    func chosenLink() throws {
        try source.write("x", to: "x")
        let links = try TemporaryDirectory()
        #expect(symlink(target.path.string, links["place"].string) == 0)
        let place = CopyTask.Place(root: links["place"])
        #expect(placed(task(.copy, ["x"], to: place).run(CopyProgress())) == ["x"])
        #expect(try text(target, "x") == "x")
    }

    @Test("What the engine writes for itself is not copied")
    func ownFiles() throws {
        try source.makeDirectory("d/.roundel")
        try source.write("x", to: "d/.roundel-stage-0")
        try source.write("a", to: "d/a")
        _ = task(.copy, ["d"]).run(CopyProgress())
        #expect(try target.names(in: "d") == ["a"])
    }

    @Test("What the engine writes for itself is not chosen either", arguments: [CopyTask.Way.copy, .move])
    func ownItem(way: CopyTask.Way) throws {
        try source.makeDirectory(".roundel")
        try source.write("x", to: ".roundel-stage-0")
        for name in [".roundel", ".roundel-stage-0"] {
            #expect(task(way, [name]).run(CopyProgress()).failure?.reason == .own)
        }
        #expect(try target.names() == [] && source.names() == [".roundel", ".roundel-stage-0"])
    }

    @Test("What is moved to where it is already stays as it is")
    func movedToItsPlace() throws {
        try source.makeDirectory("d")
        try source.write("x", to: "d/a.txt")
        let place = CopyTask.Place(root: source["d"])
        #expect(placed(task(.move, ["d/a.txt"], to: place).run(CopyProgress())) == ["a.txt"])
        #expect(placed(task(.copy, ["d/a.txt"], to: place).run(CopyProgress())) == ["a (copy).txt"])
        #expect(try source.names(in: "d") == ["a (copy).txt", "a.txt"])
    }

    @Test("What is protected is recognised by whatever path it was chosen")
    func protected() throws {
        try source.makeDirectory("d/folder")
        try source.write("x", to: "d/folder/a")
        let links = try TemporaryDirectory()
        #expect(symlink(source.path.string, links["here"].string) == 0)
        func run(_ way: CopyTask.Way, _ path: String, _ change: (inout CopyTask) -> Void) -> CopyOutcome {
            let item = CopyTask.Place(root: links["here"], path: RelativePath(text: path))
            var task = CopyTask(way, [item], to: CopyTask.Place(root: target.path), dataHome: data.path)
            change(&task)
            return task.run(CopyProgress())
        }
        for path in ["d", "d/folder"] {
            #expect(run(.move, path) { $0.unmovable = [source["d/folder"]] }.failure?.reason == .unmovable)
        }
        for path in ["d", "d/folder", "d/folder/a"] {
            for way in [CopyTask.Way.copy, .move] {
                let outcome = run(way, path) { $0.contentsPlaces = [source["d/folder"]] }
                #expect(outcome.failure?.reason == .keepsContents)
            }
        }
        #expect(try target.names() == [] && text(source, "d/folder/a") == "x")
        #expect(placed(run(.copy, "d") { $0.unmovable = [source["d/folder"]] }) == ["d"])
        #expect(placed(run(.move, "d/folder/a") { $0.unmovable = [source["d/folder"]] }) == ["a"])
    }

    @Test("After a failure nothing of the item is at the destination, and the original is as it was")
    func unreadable() throws {
        try source.write("x", to: "a")
        let outcome = task(.move, ["a", "gone"]).run(CopyProgress())
        #expect(outcome.failure == CopyFailure(.gone, RelativePath(text: "gone")))
        // What is to be copied is looked at first: nothing of it is begun.
        #expect(try outcome.placed == [] && target.names() == [])
        #expect(try text(source, "a") == "x")
    }

    /// A file system of its own for the destination.
    private func mounted(_ options: String, _ body: (TemporaryDirectory) throws -> Void) throws {
        let place = try TemporaryDirectory()
        try #require(Child.run(["mount", "-t", "tmpfs", "-o", options, "none", place.path.string]) == 0)
        defer { umount2(place.path.string, Int32(MNT_DETACH)) }
        try body(place)
    }

    @Test(
        "D1: a move to another file system copies, and puts the original into the trash", .enabled(if: geteuid() == 0))
    func moveByCopying() throws {
        try source.makeDirectory("d")
        try source.write("x", to: "d/a")
        try mounted("size=1m") { place throws in
            let outcome = task(.move, ["d"], to: CopyTask.Place(root: place.path)).run(CopyProgress())
            #expect(placed(outcome) == ["d"] && outcome.remaining == [] && outcome.failure == nil)
            #expect(try text(place, "d/a") == "x")
            #expect(try place.names() == ["d"])
        }
        #expect(try source.names().filter { !$0.hasPrefix(".Trash") } == [])
        #expect(try text(data, "Trash/files/d/a") == "x")
        let note = try text(data, "Trash/info/d.trashinfo")
        #expect(note.contains("Path=\(source["d"].string)\n") && !note.contains("X-Roundel"))
    }

    @Test(
        "An original that changed after it was copied does not go to the trash",
        arguments: [nil, "written", "new", "deleted", "own"])
    func changedOriginal(change: String?) throws {
        try source.makeDirectory("d/e")
        for name in ["d/a", "d/e/b"] { try source.write("x", to: name) }
        #expect(symlink("a", source["d/link"].string) == 0)
        let name = try #require(EntryName("d"))
        let parent = try DirectoryHandle(absolute: source.path)
        var copier = TreeCopier(CopyProgress(), isDurable: true)
        let place = try DirectoryHandle(absolute: target.path)
        #expect(try copier.copy(name, of: parent, as: name, in: place, at: RelativePath([name])))
        switch change {
        case "written": try source.write("longer", to: "d/e/b")
        case "new": try source.write("y", to: "d/e/c")
        case "deleted": #expect(unlink(source["d/a"].string) == 0)
        case "own": try source.write("y", to: "d/.roundel-stage-0")
        case nil, .some: break
        }
        let original = CopiedOriginal(
            name: name, parent: parent, shown: RelativePath([name]), copied: copier.copied)
        let isTrashed = original.moveToTrash(dataHome: data.path)
        #expect(isTrashed == (change == nil || change == "own"))
        #expect(try source.names() == (isTrashed ? [] : ["d"]))
        #expect(try data.names(in: "Trash/files") == (isTrashed ? ["d"] : []))
        #expect(try data.names(in: "Trash/info") == (isTrashed ? ["d.trashinfo"] : []))
    }

    @Test(
        "What does not fit is refused before it is begun, and a disk that is full leaves nothing",
        .enabled(if: geteuid() == 0))
    func full() throws {
        try source.write(String(repeating: "x", count: 600_000), to: "a")
        try source.write(String(repeating: "y", count: 600_000), to: "b")
        try mounted("size=1m") { place throws in
            for way in [CopyTask.Way.copy, .move] {
                let outcome = task(way, ["a", "b"], to: CopyTask.Place(root: place.path)).run(CopyProgress())
                #expect(outcome.failure?.reason == .noSpace && outcome.placed == [])
                #expect(try place.names() == [])
            }
        }
        #expect(try source.names() == ["a", "b"])
    }

    @Test("What was begun is removed when the disk becomes full", .enabled(if: geteuid() == 0))
    func fullMeanwhile() throws {
        try mounted("size=1m") { place throws in
            try place.makeDirectory("d/e")
            try place.write("a", to: "d/e/a")
            try place.write(String(repeating: "x", count: 600_000), to: "d/f")
            // On the same file system it might take no room, so that it is tried.
            let item = CopyTask.Place(root: place.path, path: RelativePath(text: "d"))
            let outcome = CopyTask(.copy, [item], to: .init(root: place.path), dataHome: data.path).run(CopyProgress())
            #expect(outcome.failure == CopyFailure(.noSpace, RelativePath(text: "d/f")))
            #expect(try place.names() == ["d"])
        }
    }

    @Test("What a killed program leaves of a copy is removed by its note, and nothing else")
    func leftovers() throws {
        let notes = CopyNotes(in: data["notes"])
        #expect(notes.left == [])
        let place = try DirectoryHandle(absolute: target.path)
        for name in [".roundel-stage-1", ".roundel-stage-2"] {
            try target.write("part", to: "\(name)/d/a")
            try target.setMode("\(name)/d", 0o555)
        }
        try target.write("mine", to: "mine")
        notes.note(.constant(".roundel-stage-1"), in: place)
        let left = CopyNotes(in: data["notes"]).left
        #expect(left == [".roundel-stage-1"])
        // Begun after that.
        notes.note(.constant(".roundel-stage-2"), in: place)
        #expect(notes.removeCopies(left) == [])
        #expect(try target.names().sorted() == [".roundel-stage-2", "mine"])
        #expect(notes.left == [".roundel-stage-2"])
        // A copy that is complete leaves no note, and neither does one that fails.
        try source.write("a", to: "a")
        for name in ["a", "gone"] {
            var task = task(.copy, [name])
            task.notes = CopyNotes(in: data["others"])
            _ = task.run(CopyProgress())
        }
        #expect(try text(target, "a") == "a" && CopyNotes(in: data["others"]).left == [])
        #expect(access(data["others"].string, F_OK) == 0)
    }

    @Test("A note stays where a disk is not mounted, until the copy is removed there, or for a month")
    func unreachableLeftovers() throws {
        let notes = CopyNotes(in: data["notes"])
        let name = ".roundel-stage-1"
        try target.makeDirectory("place")
        notes.note(.constant(".roundel-stage-1"), in: try DirectoryHandle(absolute: target["place"]))
        try target.write("part", to: "place/\(name)")
        try target.rename("place", to: "mounted")
        #expect(notes.removeCopies([name]) == [name])
        // Only the place is there where the disk was mounted.
        try target.makeDirectory("place")
        #expect(notes.removeCopies([name]) == [name] && notes.left == [name])
        try target.remove("place")
        try target.rename("mounted", to: "place")
        #expect(notes.removeCopies([name]) == [] && notes.left == [])
        #expect(try target.names() == ["place"] && target.names(in: "place") == [])
        // Of another one there is known to be nothing, and of a third never.
        for (number, place) in [(2, "place"), (3, "gone")] {
            if !target.exists(place) { try target.makeDirectory(place) }
            let name = try #require(EntryName(".roundel-stage-\(number)"))
            notes.note(name, in: try DirectoryHandle(absolute: target[place]))
        }
        try target.remove("gone")
        #expect(notes.removeCopies(notes.left) == [".roundel-stage-3"])
        let old = [timespec](repeating: timespec(tv_sec: time(nil) - 31 * 86_400, tv_nsec: 0), count: 2)
        utimensat(AT_FDCWD, data["notes/.roundel-stage-3"].string, old, 0)
        #expect(notes.removeCopies(notes.left) == [] && notes.left == [])
    }

    @Test("What is left of a copy on a disk that becomes read-only keeps its note", .enabled(if: geteuid() == 0))
    func readOnlyLeftovers() throws {
        let notes = CopyNotes(in: data["notes"])
        try mounted("size=1m") { place throws in
            try place.write("part", to: ".roundel-stage-1")
            notes.note(.constant(".roundel-stage-1"), in: try DirectoryHandle(absolute: place.path))
            try #require(Child.run(["mount", "-o", "remount,ro", place.path.string]) == 0)
            #expect(notes.removeCopies(notes.left) == notes.left && notes.left.count == 1)
            try #require(Child.run(["mount", "-o", "remount,rw", place.path.string]) == 0)
            #expect(notes.removeCopies(notes.left) == [] && notes.left == [])
            #expect(try place.names() == [])
        }
    }

    @Test("A destination that is read-only is said to be that", .enabled(if: geteuid() == 0))
    func readOnly() throws {
        try source.write("x", to: "a")
        try mounted("size=1m,ro") { place throws in
            let outcome = task(.move, ["a"], to: CopyTask.Place(root: place.path)).run(CopyProgress())
            #expect(outcome.failure?.reason == .readOnly)
        }
        #expect(try text(source, "a") == "x")
    }
}
