import CLinux
import Glibc
import MountProtocol
import MountSupport
import OnDemand
import SystemPackage
import TestSupport
import Testing

@Suite(
    "A mounted folder comes and goes", .serialized,
    .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"))
struct MountTests {
    private func names(_ path: String) throws -> [String] {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Failure("open \(path): \(errno)") }
        defer { close(directory) }
        return entries(of: directory).map {
            String(decoding: $0.name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        .sorted()
    }

    @Test("what is written in it is in the contents, and there again when it is mounted again")
    func again() throws {
        let folder = try MountedFolder()
        try folder.mount()
        try write(Array("text".utf8), to: folder("file"))
        mkdir(folder("directory"), 0o755)
        let before = try fileStatus(of: folder("file"))
        #expect(try folder.end() == 0)
        #expect(!folder.isMounted)
        #expect(try names(folder.path).isEmpty)
        #expect(try names(folder.contents) == ["directory", "file"])
        try folder.mount()
        #expect(contents(of: folder("file")) == .success(Array("text".utf8)))
        let after = try fileStatus(of: folder("file"))
        #expect(before.inode == after.inode && before.born == after.born && before.modified == after.modified)
    }

    @Test("nobody may write where it is not mounted; what is there all the same is brought in, and nothing is lost")
    func strays() throws {
        let folder = try MountedFolder()
        try write([1], to: folder.behind("taken.txt"))
        mkdir(folder.behind("both"), 0o755)
        try write([2], to: folder.behind("both/file"))
        // The tests are often root's, who may.
        try write([3], to: folder("new"))
        try write([4], to: folder("taken.txt"))
        mkdir(folder("both"), 0o755)
        try write([5], to: folder("both/file"))
        try write([6], to: folder("both/other"))
        try folder.mount()
        #expect(try names(folder.path) == ["both", "new", "taken (recovered).txt", "taken.txt"])
        #expect(try names(folder("both")) == ["file", "file (recovered)", "other"])
        #expect(contents(of: folder("taken.txt")) == .success([1]))
        #expect(contents(of: folder("taken (recovered).txt")) == .success([4]))
        #expect(contents(of: folder("both/file (recovered)")) == .success([5]))
        try folder.end()
        #expect(try fileStatus(of: folder.path).mode & 0o777 == 0o500)
        #expect(try names(folder.path).isEmpty)
    }

    @Test("a killed program fails whoever uses the folder, and is no hindrance to the next")
    func killed() throws {
        let folder = try MountedFolder()
        try folder.mount()
        try write([1], to: folder("file"))
        let file = open(folder("file"), O_RDWR | O_CLOEXEC)
        folder.kill()
        var byte: UInt8 = 0
        #expect(Glibc.write(file, &byte, 1) < 0 && errno == ENOTCONN)
        #expect(contents(of: folder("file")) == .failure(Refusal(number: ENOTCONN)))
        close(file)
        try folder.mount()
        #expect(contents(of: folder("file")) == .success([1]))
    }

    @Test("the program ends when a person unmounts the folder")
    func unmounted() throws {
        let folder = try MountedFolder()
        try folder.mount()
        folder.unmount()
        #expect(try folder.waitForEnd() == 0)
    }

    @Test("a folder is served by one program alone")
    func twice() throws {
        let folder = try MountedFolder()
        try folder.mount()
        let second = try RunningProgram(
            [BuiltPrograms.path("roundel-mount"), "folder"],
            environment: RunningProgram.inheritedEnvironment.merging([
                "XDG_STATE_HOME": folder.base("state").string, "XDG_RUNTIME_DIR": folder.base("run").string,
            ]) { $1 })
        #expect(try second.finish().status == 1)
        #expect(folder.isMounted)
    }

    @Test("nothing wakes it when nobody asks for anything")
    func idle() throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        #expect(try worker.sync() == nil)
        func switches() throws -> [String] {
            let base = "/proc/\(folder.process)/task"
            return try names(base).map { task in
                guard case .success(let bytes) = contents(of: "\(base)/\(task)/status") else { return "" }
                let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                return lines.filter { $0.hasPrefix("voluntary_ctxt_switches") || $0.hasPrefix("Name") }
                    .joined(separator: " ")
            }
        }
        let before = try switches()
        sleep(2)
        #expect(try switches() == before)
    }

    @Test("the folder of an ordinary user, with files that are read-only")
    func ordinaryUser() throws {
        guard geteuid() == 0 else { return }
        let user: UInt32 = 65_534
        let folder = try MountedFolder(user: user)
        try folder.mount()
        let worker = try StandInWorker(folder, .keep, user: user)
        defer { worker.close() }
        func run(_ script: String) throws -> RunningProgram.Outcome {
            try RunningProgram(
                ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "sh", "-c", script],
                environment: RunningProgram.inheritedEnvironment, directory: "/"
            ).finish()
        }
        #expect(
            try worker.make([("read-only", 5, 9_000)], mode: 0o444) == [
                .inode(fileStatus(of: folder.behind("read-only")).inode)
            ])
        let reader = try RunningProgram(
            ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "cat", folder("read-only")],
            environment: RunningProgram.inheritedEnvironment)
        let wanted = try worker.fetch()
        #expect(wanted.reason.executable.suffix(4) == Array("/cat".utf8)[...])
        try write(Pattern.bytes(version: 5, size: 9_000), to: folder.base("staged").string)
        chmod(folder.base("staged").string, 0o644)
        #expect(
            try run("mkdir '\(folder("area"))' && cp '\(folder.base("staged").string)' '\(folder("area/x"))'").status
                == 0)
        let request = worker.beginFill(.fetch(wanted.fetch), staged: "area/x", version: Pattern.version(5))
        #expect(try worker.end(of: request) == nil)
        #expect(try Array(reader.finish().output.utf8).count > 0)
        #expect(contents(of: folder.behind("read-only")) == .success(Pattern.bytes(version: 5, size: 9_000)))
        #expect(try fileStatus(of: folder.behind("read-only")).mode & 0o777 == 0o444)
        #expect(getxattr(folder.behind("read-only"), "user.roundel.mode", nil, 0) < 0)
        // Back again.
        let status = try fileStatus(of: folder.behind("read-only"))
        let free = try worker.ask {
            .free(
                request: $0, .init(path: .init("read-only".utf8)!, inode: status.inode),
                .init(
                    size: status.size, modified: status.modified, changed: status.changed, version: Pattern.version(6)))
        }
        #expect(free == .done(request: 3, nil) && folder.isMarked("read-only"))
        #expect(try fileStatus(of: folder.behind("read-only")).mode & 0o777 == 0o444)
        // A worker of another user is not let in, not even root's.
        let stranger = try StandInWorker(folder, isThisProcess: true, user: user)
        try stranger.wait("refusal") { $0.hasEnded }
    }
}
