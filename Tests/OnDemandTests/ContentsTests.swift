import CFuse
import CLinux
import Glibc
import MountProtocol
import MountSupport
import SystemPackage
import TestSupport
import Testing

@testable import OnDemand

@Suite(
    "Contents arrive when they are wanted", .serialized,
    .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"))
struct ContentsTests {
    private let folder: MountedFolder

    init() throws {
        folder = try MountedFolder()
        try folder.mount()
    }

    private func read(_ name: String) -> Result<[UInt8], Refusal> { contents(of: folder(name)) }

    /// Whether a file takes no room but that of its mark, where there is none for it beside the inode.
    private func isAway(_ status: clinux_status) -> Bool { status.stored <= 4_096 }

    private func refusal(_ name: String, _ flags: Int32) -> Int32 {
        let file = open(folder(name), flags | O_CLOEXEC, 0o644)
        if file < 0 { return errno }
        close(file)
        return 0
    }

    /// Opens a file in a program of its own.
    private func reader(_ name: String, _ program: [String] = ["cat"]) throws -> RunningProgram {
        try RunningProgram(program + [folder(name)], environment: RunningProgram.inheritedEnvironment)
    }

    @Test("a placeholder looks like its file and takes no room; who opens it gets what it should hold")
    func opened() throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        try worker.make([("file", 1, 100_000), ("empty", 2, 0)], mode: 0o640)
        let before = try fileStatus(of: folder("file"))
        #expect(before.size == 100_000 && isAway(before) && before.mode & 0o777 == 0o640)
        #expect([1_500_000_000_123_456_789, 1_500_000_000_000_000_000].contains(before.modified))
        #expect(read("file") == .success(Pattern.bytes(version: 1, size: 100_000)))
        let after = try fileStatus(of: folder("file"))
        #expect(after.inode == before.inode && after.modified == before.modified && !isAway(after))
        #expect(read("empty") == .success([]))
        #expect(worker.wanted.count == 1 && !folder.isMarked("file"))
        #expect(read("file") == .success(Pattern.bytes(version: 1, size: 100_000)))
        #expect(worker.wanted.count == 1)
        let wanted = worker.wanted[0]
        #expect(wanted.item.path == NodePath("file".utf8) && wanted.item.inode == before.inode)
        #expect(wanted.reason.process == getpid() && !wanted.reason.executable.isEmpty)
    }

    @Test("what is freed takes no room and is fetched again; nobody ever sees zeros")
    func freed() throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        try write(Pattern.bytes(version: 3, size: 300_001), to: folder("file"))
        #expect(read("file") == .success(Pattern.bytes(version: 3, size: 300_001)))
        let before = try fileStatus(of: folder("file"))
        #expect(try worker.freeWhenIdle("file", version: 3) == nil)
        let after = try fileStatus(of: folder("file"))
        #expect(after.size == before.size && isAway(after) && after.modified == before.modified)
        #expect(worker.wanted.isEmpty)
        #expect(read("file") == .success(Pattern.bytes(version: 3, size: 300_001)))
        #expect(worker.wanted.count == 1)
        #expect(try worker.freeWhenIdle("file", version: 3) == nil)
        #expect(try worker.freeWhenIdle("file", version: 3) == .alreadyInProcess)
    }

    @Test("what is open, mapped, changed, linked or something else is not freed")
    func notFreed() throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        try write([1, 2, 3], to: folder("file"))
        let file = open(folder("file"), O_RDWR | O_CLOEXEC)
        #expect(try worker.free("file", version: 1) == .resourceBusy)
        let pages = mmap(nil, 3, PROT_READ, MAP_SHARED, file, 0)
        close(file)
        #expect(try worker.free("file", version: 1) == .resourceBusy)
        munmap(pages, 3)
        let seen = try fileStatus(of: folder("file"))
        // As long as times are kept by the second somewhere, what is seen within the same one says nothing.
        usleep(1_100_000)
        try write([4, 5, 6], to: folder("file"))
        try worker.wait("end of use") { try $0.free("file", seen, version: 1) == .staleNFSFileHandle }
        link(folder("file"), folder("other"))
        #expect(try worker.freeWhenIdle("file", version: 1) == .tooManyLinks)
        symlink("file", folder("link"))
        #expect(try worker.free("link", version: 1) == .staleNFSFileHandle)
        #expect(read("other") == .success([4, 5, 6]))
    }

    @Test("a placeholder that is described has another size and date at once, and nothing is fetched")
    func described() throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, 1_000), ("empty", 2, 10)], mode: 0o444)
        #expect(try worker.describe("file", version: 2, size: 3_000) == nil)
        let status = try fileStatus(of: folder("file"))
        #expect(status.size == 3_000 && isAway(status) && status.mode & 0o777 == 0o444)
        #expect(status.modified == StandInWorker.date(ofVersion: 2) && worker.wanted.isEmpty)
        // While somebody waits for it.
        let waiting = try reader("file")
        let wanted = try worker.fetch()
        #expect(try worker.describe("file", version: 3, size: 2_000) == nil)
        #expect(try worker.fill(wanted) == .invalidArgument)
        #expect(try worker.fill("file", version: 3) == nil)
        let outcome = try waiting.finish()
        #expect(outcome.status != 0 || outcome.output.utf8.count > 0)
        #expect(read("file") == .success(Pattern.bytes(version: 3, size: 2_000)))
        // Nothing is a file whose contents are here.
        #expect(try worker.describe("empty", version: 4, size: 0) == nil)
        #expect(read("empty") == .success([]) && !folder.isMarked("empty"))
    }

    /// A program that appends a byte; without a look at the file before.
    private func appending(_ name: String, throughDescriptor: Bool = false) throws -> RunningProgram {
        let path = throughDescriptor ? "f'/proc/self/fd/{os.open(sys.argv[1], os.O_PATH)}'" : "sys.argv[1]"
        // Only a name can be created.
        let flags = "os.O_RDWR | os.O_APPEND" + (throughDescriptor ? "" : " | os.O_CREAT")
        let program = "import os, sys; os.write(os.open(\(path), \(flags)), bytes([77]))"
        return try reader(name, ["/usr/bin/python3", "-c", program])
    }

    @Test(
        "who waited while a placeholder got another size writes at the end of what came",
        arguments: [(300_000, 100_000), (100_000, 300_000)], [false, true])
    func resizedMeanwhile(sizes: (old: Int, new: Int), throughDescriptor: Bool) throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, sizes.old)])
        let waiting = try appending("file", throughDescriptor: throughDescriptor)
        let wanted = try worker.fetch()
        let staged = try worker.stage(version: 2, size: sizes.new)
        #expect(try worker.describe("file", version: 2, size: sizes.new) == nil)
        // Nobody looks at it between.
        let request = worker.beginFill(.fetch(wanted.fetch), staged: staged, version: Pattern.version(2))
        #expect(try worker.end(of: request) == nil)
        #expect(try waiting.finish().status == 0)
        let found = read("file")
        let right = found == .success(Pattern.bytes(version: 2, size: sizes.new) + [77])
        #expect(right, "\(Pattern.difference(of: found, from: 2))")
    }

    @Test("who waited while a file was emptied writes at its beginning")
    func emptiedMeanwhile() throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        for number in 0..<10 {
            let name = "file\(number)"
            try worker.make([(name, 1, 100_000)])
            let waiting = try appending(name)
            _ = try worker.fetch()
            #expect(refusal(name, O_WRONLY | O_TRUNC) == 0)
            #expect(try waiting.finish().status == 0)
            let found = read(name)
            #expect(found == .success([77]), "\(Pattern.difference(of: found, from: 1))")
        }
    }

    @Test("what is here, or was changed since it was seen, is not described")
    func notDescribed() throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        try worker.make([("file", 1, 1_000)])
        let seen = try fileStatus(of: folder("file"))
        usleep(1_100_000)
        #expect(chmod(folder("file"), 0o600) == 0)
        #expect(try worker.describe("file", seen, version: 2, size: 5) == .staleNFSFileHandle)
        #expect(read("file") == .success(Pattern.bytes(version: 1, size: 1_000)))
        #expect(try worker.describe("file", version: 2, size: 5) == .alreadyInProcess)
        let file = open(folder("file"), O_RDONLY | O_CLOEXEC)
        #expect(try worker.describe("file", version: 2, size: 5) == .alreadyInProcess)
        close(file)
        #expect(read("file") == .success(Pattern.bytes(version: 1, size: 1_000)))
    }

    @Test(
        "what a program opens counts as used, also where the kernel need not read it again; what the worker reads not")
    func used() throws {
        func accessed() -> Int {
            var status = stat()
            return stat(folder.behind("file"), &status) == 0 ? status.st_atim.tv_sec : 0
        }
        func age() {
            let times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 900_000_000, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, folder("file"), times, 0) == 0)
        }
        try write([1, 2, 3], to: folder("file"))
        #expect(read("file") == .success([1, 2, 3]))
        age()
        let worker = try StandInWorker(folder, isThisProcess: true)
        #expect(read("file") == .success([1, 2, 3]))
        #expect(accessed() == 1_000_000_000)
        worker.close()
        try worker.wait("end") { $0.hasEnded }
        let other = try reader("file")
        #expect(try other.finish().status == 0)
        #expect(accessed() > 1_000_000_000)
    }

    @Test(
        "a date of last use is old as relatime has it, also within one second",
        arguments: [
            ((100, 5), (100, 5), (100, 4), true), ((100, 6), (100, 5), (100, 4), false),
            ((100, 6), (100, 5), (100, 6), true), ((101, 0), (100, 5), (100, 6), false),
            ((-5, 9), (-5, 8), (-6, 0), false), ((-6, 9), (-5, 0), (-7, 0), true),
        ] as [((Int64, UInt32), (Int64, UInt32), (Int64, UInt32), Bool)])
    func useIsOld(used: (Int64, UInt32), modified: (Int64, UInt32), changed: (Int64, UInt32), isOld: Bool) {
        var status = fuse_attr()
        (status.atime, status.atimensec) = (UInt64(bitPattern: used.0), used.1)
        (status.mtime, status.mtimensec) = (UInt64(bitPattern: modified.0), modified.1)
        (status.ctime, status.ctimensec) = (UInt64(bitPattern: changed.0), changed.1)
        #expect(LastUse.isOld(of: status, now: 200) == isOld)
        // More than a day later.
        #expect(LastUse.isOld(of: status, now: 200_000))
    }

    @Test("a second name, and attributes of this program's own, are refused")
    func refused() throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        try worker.make([("file", 1, 10)])
        #expect(link(folder("file"), folder("other")) < 0 && errno == EPERM)
        #expect(listxattr(folder("file"), nil, 0) == 0)
        #expect(getxattr(folder("file"), "user.roundel.online", nil, 0) < 0 && errno == ENODATA)
        #expect(setxattr(folder("file"), "user.roundel.online", "x", 1, 0) < 0 && errno == EPERM)
        #expect(removexattr(folder("file"), "user.roundel.online") < 0 && errno == ENODATA)
        #expect(folder.isMarked("file") && worker.wanted.isEmpty)
    }

    @Test("the worker sees marks, and its own opens fail at once")
    func ownOpens() throws {
        let worker = try StandInWorker(folder, isThisProcess: true)
        defer { worker.close() }
        try worker.make([("file", 1, 10)])
        var value = [UInt8](repeating: 0, count: 100)
        let count = getxattr(folder("file"), "user.roundel.online", &value, 100)
        #expect(
            PlaceholderMark(Array(value.prefix(max(0, count))))?.contents
                == Placeholder(size: 10, version: Pattern.version(1)))
        #expect(read("file") == .failure(Refusal(number: ENODATA)))
        #expect(worker.wanted.isEmpty)
        let other = try reader("file")
        #expect(try Array(other.finish().output.utf8).count > 0)
    }

    @Test("what throws the contents away fetches nothing, and the worker is told")
    func emptied() throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("a", 1, 10), ("b", 2, 20), ("c", 3, 30), ("d", 4, 40), ("e", 5, 50)])
        try write([1], to: folder("a"))
        #expect(truncate(folder("b"), 0) == 0)
        #expect(refusal("c", O_RDONLY | O_TRUNC) == 0)
        chmod(folder("d"), 0o600)
        unlink(folder("d"))
        try write([2], to: folder("new"))
        rename(folder("new"), folder("e"))
        #expect(read("a") == .success([1]) && read("b") == .success([]) && read("c") == .success([]))
        #expect(read("e") == .success([2]))
        #expect(worker.wanted.isEmpty)
        try worker.wait("reports") { $0.emptied.count >= 3 }
        #expect(worker.emptied.map(\.path) == ["a", "b", "c"].map { NodePath($0.utf8) })
        for name in ["a", "b", "c", "e"] { #expect(!folder.isMarked(name)) }
    }

    @Test(
        "what was emptied is no placeholder again when it gets its former size, though a killed program left the mark",
        arguments: [0o644, 0o444] as [mode_t])
    func formerSize(mode: mode_t) throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        let mark = PlaceholderMark(try #require(Placeholder(size: 1_000, version: Pattern.version(1)))).bytes
        for name in ["cut", "written"] {
            try write([], to: folder.behind(name))
            #expect(setxattr(folder.behind(name), "user.roundel.online", mark, mark.count, 0) == 0)
            chmod(folder.behind(name), mode)
        }
        #expect(truncate(folder("cut"), 1_000) == 0)
        #expect(read("cut") == .success([UInt8](repeating: 0, count: 1_000)))
        try write(Pattern.bytes(version: 2, size: 1_000), to: folder("written"))
        #expect(read("written") == .success(Pattern.bytes(version: 2, size: 1_000)))
        #expect(worker.wanted.isEmpty && !folder.isMarked("cut") && !folder.isMarked("written"))
    }

    @Test("what has a mark of another program's is not read")
    func unknownMark() throws {
        try write([0, 0, 0], to: folder.behind("file"))
        #expect(setxattr(folder.behind("file"), "user.roundel.online", "?", 1, 0) == 0)
        #expect(read("file") == .failure(Refusal(number: EIO)))
    }

    @Test("to be cut, contents are fetched first")
    func cut() throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        try worker.make([("file", 1, 10_000)])
        #expect(truncate(folder("file"), 5_000) == 0)
        #expect(read("file") == .success(Array(Pattern.bytes(version: 1, size: 10_000).prefix(5_000))))
    }

    @Test("a thousand who want one file make one fetch; meanwhile everything else goes on")
    func many() throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, 50_000)])
        let script = """
            import sys, threading
            def read():
                with open(sys.argv[1], 'rb') as file: results.append(hash(file.read()))
            results = []
            threads = [threading.Thread(target=read) for _ in range(1000)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            print(len(results), len(set(results)))
            """
        let readers = try reader("file", ["/usr/bin/python3", "-c", script])
        let wanted = try worker.fetch()
        try write([1], to: folder("other"))
        #expect(rename(folder("other"), folder("third")) == 0 && read("third") == .success([1]))
        #expect(try worker.fill(wanted) == nil)
        #expect(try readers.finish().output == "1000 1\n")
        #expect(worker.wanted.count == 1)
    }

    @Test(
        "an error of the worker is that of the program",
        arguments: [Errno.networkUnreachable, .noSpace, .timedOut, .permissionDenied, .ioError])
    func errors(error: Errno) throws {
        let worker = try StandInWorker(folder, .fail(error))
        defer { worker.close() }
        try worker.make([("file", 1, 10)])
        #expect(refusal("file", O_RDONLY) == error.rawValue)
        #expect(truncate(folder("file"), 3) < 0 && errno == error.rawValue)
        worker.set(.fill)
        #expect(read("file") == .success(Pattern.bytes(version: 1, size: 10)))
    }

    @Test("without a worker an open fails at once; when it dies, those who wait fail")
    func noWorker() throws {
        let worker = try StandInWorker(folder, .keep)
        try worker.make([("file", 1, 10)])
        let waiting = try reader("file")
        _ = try worker.fetch()
        worker.close()
        let outcome = try waiting.finish()
        #expect(outcome.status == 1 && outcome.errors.contains("Input/output error"))
        #expect(refusal("file", O_RDONLY) == ENETUNREACH)
        // The next one is let in as soon as the end of the first is noticed.
        let next = try StandInWorker(folder)
        defer { next.close() }
        #expect(read("file") == .success(Pattern.bytes(version: 1, size: 10)))
    }

    @Test(
        "a program that waits ends with its signal, at once; the fetch is called off",
        arguments: [SIGINT, SIGTERM, SIGKILL])
    func signals(signal: Int32) throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, 10)])
        let waiting = try reader("file")
        let wanted = try worker.fetch()
        #expect(try waiting.end(with: signal) == 128 + signal)
        try worker.wait("cancel") { $0.canceled == [wanted.fetch] }
        #expect(try worker.fill(wanted) == .canceled)
        worker.set(.fill)
        #expect(read("file") == .success(Pattern.bytes(version: 1, size: 10)))
    }

    @Test("signals that tell a program something do not end its wait, and those after them do")
    func patientSignals() throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, 10)])
        let script = """
            import os, signal, sys
            for number in (signal.SIGCHLD, signal.SIGWINCH): signal.signal(number, lambda *_: None)
            try:
                os.close(os.open(sys.argv[1], os.O_RDONLY))
                print("opened")
            except OSError as error: print(error.errno)
            """
        let waiting = try reader("file", ["/usr/bin/python3", "-c", script])
        let wanted = try worker.fetch()
        waiting.signal(SIGCHLD)
        waiting.signal(SIGWINCH)
        #expect(try worker.fill(wanted) == nil)
        #expect(try waiting.finish().output == "opened\n")
        try worker.make([("second", 2, 10)])
        let other = try reader("second", ["/usr/bin/python3", "-c", script])
        _ = try worker.fetch(after: 1)
        other.signal(SIGWINCH)
        other.signal(SIGTERM)
        #expect(try other.wait() == 128 + SIGTERM)
    }

    @Test("what is renamed while it is fetched, or in a directory that is, arrives where it is then")
    func renamed() throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        mkdir(folder("directory"), 0o755)
        try worker.make([("directory/file", 1, 1_000)])
        let waiting = try reader("directory/file")
        let wanted = try worker.fetch()
        rename(folder("directory/file"), folder("directory/other"))
        rename(folder("directory"), folder("moved"))
        #expect(
            try worker.ask { .locate(request: $0, wanted.fetch) } == .located(request: 2, NodePath("moved/other".utf8)!)
        )
        #expect(try worker.fill(wanted) == nil)
        #expect(try waiting.finish().status == 0)
        #expect(read("moved/other") == .success(Pattern.bytes(version: 1, size: 1_000)))
    }

    @Test("what is deleted while it is fetched is not there; what takes its place is opened")
    func deleted() throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, 10), ("other", 2, 10)])
        let first = try reader("file")
        let wanted = try worker.fetch()
        unlink(folder("file"))
        #expect(try first.finish().errors.contains("No such file or directory"))
        try worker.wait("cancel") { $0.canceled == [wanted.fetch] }
        let second = try reader("other")
        _ = try worker.fetch(after: 1)
        try write(Array("replaced".utf8), to: folder("new"))
        rename(folder("new"), folder("other"))
        #expect(try second.finish().output == "replaced")
    }

    @Test("wrong contents are refused, and nobody sees them")
    func wrong() throws {
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, 1_000), ("other", 2, 1_000)])
        func begin(_ count: Int) throws -> (RunningProgram, StandInWorker.Wanted) {
            let waiting = try reader("file")
            return (waiting, try worker.fetch(after: count))
        }
        let attempts: [(String, [UInt8], Errno)] = [
            (try worker.stage(version: 1, size: 999), Pattern.version(1), .invalidArgument),
            (try worker.stage(version: 1, size: 1_000), Pattern.version(2), .invalidArgument),
            ("other", Pattern.version(1), .invalidArgument), ("file", Pattern.version(1), .invalidArgument),
            ("nothing", Pattern.version(1), .noSuchFileOrDirectory), (".roundel", Pattern.version(1), .invalidArgument),
        ]
        for (count, (staged, version, error)) in attempts.enumerated() {
            let (waiting, wanted) = try begin(count)
            let request = worker.beginFill(.fetch(wanted.fetch), staged: staged, version: version)
            #expect(try worker.end(of: request) == error)
            #expect(try waiting.finish().errors.contains("Input/output error"))
        }
        #expect(folder.isMarked("file"))
        #expect(try worker.fill("file", version: 1) == nil)
        #expect(read("file") == .success(Pattern.bytes(version: 1, size: 1_000)))
        #expect(try worker.fill("file", version: 1) == .alreadyInProcess)
    }

    @Test("packets that mean nothing end the connection, and nothing else")
    func malformed() throws {
        for packet in [[0], [1, 0, 0, 0], [9, 9, 9, 9, 9], [UInt8](repeating: 255, count: 70_000)] as [[UInt8]] {
            let worker = try StandInWorker(folder)
            #expect(try worker.sync() == nil)
            worker.send(packet)
            try worker.wait("end") { $0.hasEnded }
            worker.close()
        }
        var mutator = ByteMutator(
            SeededRandom(for: "ContentsTests.malformed"),
            samples: [
                WorkerRequest.sync(request: 1).packet,
                WorkerRequest.locate(request: 1, FetchNumber(rawValue: 1)).packet,
                WorkerRequest.fail(request: 1, FetchNumber(rawValue: 1), .ioError).packet,
            ])
        for _ in 0..<40 {
            let worker = try StandInWorker(folder, isThisProcess: true)
            for _ in 0..<20 { worker.send(mutator.next()) }
            worker.close()
            try worker.wait("end") { $0.hasEnded }
        }
        try write([1], to: folder("file"))
        #expect(read("file") == .success([1]))
        // Whoever connects before the end of the last is noticed is turned away.
        let last = try StandInWorker(folder)
        defer { last.close() }
        #expect(try last.sync() == nil)
    }

    @Test("names that the kernel has looked for appear when they are made, also in a directory that it has listed")
    func appears() throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        func list(_ name: String) throws -> [String] {
            let directory = open(folder(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(directory) }
            return entries(of: directory).map {
                String(decoding: $0.name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            .sorted()
        }
        mkdir(folder("directory"), 0o755)
        for number in 0..<50 {
            let name = "directory/file-\(number)"
            #expect(refusal(name, O_RDONLY) == ENOENT)
            #expect(try list("directory").count == number)
            try worker.make([(name, UInt64(number), 10)])
            #expect(try fileStatus(of: folder(name)).size == 10)
            #expect(try list("directory").count == number + 1)
        }
        #expect(
            try worker.make([("directory/file-1", 1, 1), ("none/x", 1, 1)]) == [
                .failed(.fileExists), .failed(.noSuchFileOrDirectory),
            ])
    }

    @Test("looking at a file without leaving a trace, and a thumbnailer, get an error and fetch nothing")
    func looking() throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        try worker.make([("file", 1, 10)])
        #expect(refusal("file", O_RDONLY | CLINUX_O_NOATIME) == EIO)
        symlink("/bin/cat", folder.base("x-thumbnailer").string)
        try write((try? contents(of: "/bin/cat").get()) ?? [], to: folder.base("y-thumbnailer").string)
        chmod(folder.base("y-thumbnailer").string, 0o755)
        let outcome = try reader("file", [folder.base("y-thumbnailer").string]).finish()
        #expect(outcome.status == 1 && outcome.errors.contains("Input/output error"))
        #expect(worker.wanted.isEmpty)
    }

    @Test("what is written is durable when the worker asks, and contents survive the loss of the page cache")
    func durable() throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        try write(Pattern.bytes(version: 9, size: 100), to: folder("file"))
        #expect(try worker.sync() == nil)
        #expect(contents(of: folder.behind("file")) == .success(Pattern.bytes(version: 9, size: 100)))
    }
}
