import CLinux
import Glibc
import MountProtocol
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

/// The directories of folders on demand, moved on a real disk.
@Suite struct MountDirectoryTests {
    private let files: TemporaryDirectory
    private let directories: MountDirectories

    init() throws {
        files = try TemporaryDirectory()
        directories = MountDirectories(
            folder: files["Cloud"], contents: files["data/contents/f1"], settings: files["state/mounts/f1"],
            socket: files["run/mounts/f1"], state: files["state/f1"])
        try files.write("text", to: "Cloud/d/a")
    }

    private func exists(_ name: String) -> Bool { access(files[name].string, F_OK) == 0 }

    /// Makes a file one without contents.
    private func mark(_ name: String, size: Int64, markedSize: UInt64? = nil) throws {
        try files.write("", to: name)
        let value = PlaceholderMark(try #require(Placeholder(size: markedSize ?? UInt64(size), version: [1]))).bytes
        let path = files[name].string
        try #require(setxattr(path, Placeholder.attribute, value, value.count, 0) == 0)
        try #require(truncate(path, off_t(size)) == 0)
    }

    @Test("A folder is moved to where contents are kept, as the same directory, and an empty one takes its place")
    func turningOn() throws {
        var (before, after) = (stat(), stat())
        try #require(stat(files["Cloud"].string, &before) == 0)
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        try #require(stat(directories.contents.string, &after) == 0)
        #expect(before.st_ino == after.st_ino)
        #expect(exists("Cloud") && !exists("Cloud/d") && exists("data/contents/f1/d/a"))
        #expect(
            try MountSettings.read(directories.settings)
                == MountSettings(folder: directories.folder, contents: directories.contents))
        // Again, as after a crash.
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        #expect(exists("data/contents/f1/d/a"))
        rmdir(files["Cloud"].string)
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        #expect(exists("Cloud"))
    }

    @Test("It is moved back over the empty directory, and once more is no trouble")
    func turningOff() throws {
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        #expect(directories.carryOut(.turningOff) == .success(.isOrdinary))
        #expect(exists("Cloud/d/a") && !exists("data/contents/f1") && !exists("state/mounts/f1"))
        #expect(directories.carryOut(.turningOff) == .success(.isOrdinary))
        #expect(exists("Cloud/d/a"))
    }

    @Test("D2: An ordinary folder leaves no socket of its mount behind, and one that stays on demand keeps it")
    func socket() throws {
        try files.write("", to: "run/mounts/f1")
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        #expect(exists("run/mounts/f1"))
        #expect(directories.carryOut(.removing) == .success(.isOrdinary))
        #expect(!exists("run/mounts/f1"))
    }

    @Test("What a failed change moved is moved back, unless that would lose something")
    func takingBack() throws {
        #expect(directories.takeBack())
        #expect(exists("Cloud/d/a"))
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        rmdir(files["Cloud"].string)
        #expect(directories.takeBack())
        #expect(exists("Cloud/d/a") && !exists("data/contents/f1"))
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        try mark("data/contents/f1/away", size: 9)
        #expect(!directories.takeBack())
        #expect(exists("data/contents/f1/d/a"))
    }

    @Test("A folder that is removed keeps what is here, and loses what is only a placeholder")
    func removing() throws {
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        try mark("data/contents/f1/away", size: 9)
        try mark("data/contents/f1/only/away", size: 4)
        try mark("data/contents/f1/d/rewritten", size: 3, markedSize: 9)
        #expect(try PlaceholderSweep(directories.contents).count(atMost: 10) == 2)
        #expect(directories.carryOut(.removing) == .success(.isOrdinary))
        #expect(exists("Cloud/d/a") && exists("Cloud/d/rewritten"))
        #expect(!exists("Cloud/away") && !exists("Cloud/only"))
        #expect(getxattr(files["Cloud/d/rewritten"].string, Placeholder.attribute, nil, 0) < 0)
    }

    @Test("Permissions that were taken away hide no placeholder, and are as before on what stays")
    func removingWithoutPermissions() throws {
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        try mark("data/contents/f1/guarded/away", size: 9)
        try mark("data/contents/f1/d/unreadable", size: 9)
        try files.write("text", to: "data/contents/f1/guarded/here")
        try #require(chmod(files["data/contents/f1/guarded"].string, 0o555) == 0)
        try #require(chmod(files["data/contents/f1/d/unreadable"].string, 0o200) == 0)
        #expect(directories.carryOut(.turningOff) == .failure(.placeholdersLeft))
        var status = stat()
        try #require(stat(files["data/contents/f1/d/unreadable"].string, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o200)
        #expect(directories.carryOut(.removing) == .success(.isOrdinary))
        try #require(stat(files["Cloud/guarded"].string, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o555)
        #expect(exists("Cloud/guarded/here") && !exists("Cloud/guarded/away") && !exists("Cloud/d/unreadable"))
        chmod(files["Cloud/guarded"].string, 0o755)
    }

    @Test("A folder with placeholders does not become an ordinary one, and can go on as one on demand")
    func turningOffTooEarly() throws {
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        try mark("data/contents/f1/d/away", size: 9)
        #expect(directories.carryOut(.turningOff) == .failure(.placeholdersLeft))
        #expect(exists("Cloud") && exists("data/contents/f1/d/away") && exists("data/contents/f1/d/a"))
        #expect(directories.carryOut(nil) == .success(.isReady))
        unlink(files["data/contents/f1/d/away"].string)
        #expect(directories.carryOut(.turningOff) == .success(.isOrdinary))
        #expect(exists("Cloud/d/a"))
    }

    @Test("A mark that this program does not write stops the move back")
    func unknownMark() throws {
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        try mark("data/contents/f1/away", size: 9)
        let path = files["data/contents/f1/away"].string
        try #require(setxattr(path, Placeholder.attribute, [99, 1], 2, 0) == 0)
        for step in [OnDemandSettings.Step.turningOff, .removing] {
            #expect(directories.carryOut(step) == .failure(.system(directories.contents, Errno(rawValue: EBADMSG))))
        }
        #expect(exists("data/contents/f1/away") && exists("data/contents/f1/d/a"))
    }

    @Test("Before a placeholder goes it is noted that the trees are to be thrown away, or none goes")
    func notedBefore() throws {
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        try mark("data/contents/f1/away", size: 9)
        try files.write("", to: "state/f1")
        guard case .failure = directories.carryOut(.removing) else {
            Issue.record("It was removed without a note.")
            return
        }
        #expect(exists("data/contents/f1/away"))
        unlink(files["state/f1"].string)
        #expect(directories.carryOut(.removing) == .success(.isOrdinary))
        try files.write("", to: "state/f1/trees.sqlite")
        try FolderClearing.finish(in: directories.state)
        #expect(!exists("state/f1/trees.sqlite"))
    }

    @Test("While a program has the contents to itself they are not moved")
    func heldContents() throws {
        #expect(directories.carryOut(.turningOn) == .success(.isReady))
        try mark("data/contents/f1/away", size: 9)
        let held = open(directories.contents.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(held >= 0 && flock(held, LOCK_EX | LOCK_NB) == 0)
        #expect(directories.carryOut(.removing) == .success(.isMounted))
        #expect(exists("data/contents/f1/away"))
        close(held)
        #expect(directories.carryOut(.removing) == .success(.isOrdinary))
        #expect(exists("Cloud/d/a") && !exists("Cloud/away"))
    }

    @Test("Without its contents a folder on demand is not made up from what is at its place")
    func contentsMissing() throws {
        #expect(directories.carryOut(nil) == .failure(.contentsMissing))
        #expect(exists("Cloud/d/a"))
    }

    @Test("Contents are kept on the folder's own file system, beside it where the usual place is on another")
    func place() {
        let folder: FilePath = "/home/p/Cloud"
        func choose(_ devices: [FilePath: UInt64]) -> FilePath? {
            ContentsDirectory.choose("f1", for: folder, dataHome: "/home/p/.local/share") { path in
                devices.max { left, right in
                    (path.starts(with: left.key) ? left.key.length : -1)
                        < (path.starts(with: right.key) ? right.key.length : -1)
                }?.value
            }
        }
        #expect(choose(["/home": 1]) == "/home/p/.local/share/roundel/contents/f1")
        #expect(choose(["/home": 1, "/home/p/.local": 2]) == "/home/p/.roundel-contents-f1")
        #expect(choose(["/home": 1, "/home/p/Cloud": 2]) == nil)
    }
}
