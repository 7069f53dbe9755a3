import CLinux
import Glibc
import MountProtocol
import MountSupport
import OnDemand
import Support
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A system call at which a program is killed.
private struct Step: Sendable, CustomTestStringConvertible {
    let call: String
    /// The first of them is 1.
    var number = 1
    /// Whether some file systems do without it.
    var isOptional = false
    /// Whether the file has its mark afterwards.
    let isMarked: Bool

    var testDescription: String { "\(call) \(number)" }
}

@Suite(
    "The program of a mounted folder is killed, or cannot do what it should", .serialized,
    .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"),
    .enabled(if: Tracer.isPossible, "strace cannot trace here"))
struct KillTests {
    private static let size = 200_000
    /// More than is copied at once.
    private static let largeSize = 5 << 20

    /// All that changes anything when contents are put in, in this order; at the last call the kernel is told. Where there
    /// are no clones, each piece is copied and then cut off from what was staged.
    private static let fillingSteps = [
        Step(call: "ioctl", isMarked: true), Step(call: "fallocate", isOptional: true, isMarked: true),
        Step(call: "copy_file_range", isOptional: true, isMarked: true),
        Step(call: "fsetxattr", isOptional: true, isMarked: true),
        Step(call: "ftruncate", isOptional: true, isMarked: true),
        Step(call: "copy_file_range", number: 2, isOptional: true, isMarked: true),
        Step(call: "ftruncate", number: 2, isOptional: true, isMarked: true), Step(call: "fsync", isMarked: true),
        Step(call: "utimensat", isMarked: true), Step(call: "fremovexattr", isMarked: true),
        Step(call: "writev", isMarked: false),
    ]
    private static let freeingSteps = [
        Step(call: "fsetxattr", isMarked: false), Step(call: "fsync", isMarked: true),
        Step(call: "fallocate", isMarked: true), Step(call: "utimensat", isMarked: true),
        Step(call: "writev", isMarked: true),
    ]

    private static let describingSteps = [
        Step(call: "fsetxattr", isMarked: true), Step(call: "ftruncate", isMarked: true),
        Step(call: "fsetxattr", number: 2, isMarked: true), Step(call: "utimensat", isMarked: true),
        Step(call: "writev", isMarked: true),
    ]

    /// Has the program killed when a thread with this name does something, which is done then; and mounts again.
    ///
    /// - Parameter body: Gives whether the program survived it.
    private func kill(
        _ folder: MountedFolder, _ threads: String, at step: Step, _ body: () throws -> Bool
    ) throws {
        let tracer = try Tracer(folder.process, threads: threads, [step.call: .kill(step.number)])
        let hasSurvived = try body()
        // Without the call there is nothing to be killed at.
        #expect(step.isOptional || !hasSurvived, "\(step)")
        #expect(folder.isMarked("file") == (step.isMarked && !hasSurvived), "\(step)")
        folder.kill()
        try tracer.end()
        folder.unmount()
        try folder.mount()
    }

    @Test("at any step of putting contents in: they are whole, or away", arguments: fillingSteps)
    fileprivate func filling(step: Step) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder, .keep)
        let size = step.number > 1 ? Self.largeSize : Self.size
        try worker.make([("file", 1, size)])
        let staged = try worker.stage(version: 1, size: size)
        let reader = try RunningProgram(["cksum", folder("file")], environment: RunningProgram.inheritedEnvironment)
        let wanted = try worker.fetch()
        var outcome: RunningProgram.Outcome?
        try kill(folder, "job", at: step) {
            let request = worker.beginFill(.fetch(wanted.fetch), staged: staged, version: Pattern.version(1))
            let answer = Result { try worker.end(of: request) }
            outcome = try reader.finish()
            worker.close()
            return (try? answer.get() == nil) ?? false
        }
        try expectWhole(folder, size)
        let sum = try RunningProgram(["cksum", folder("file")], environment: RunningProgram.inheritedEnvironment)
        // Who waited got an error, or all.
        let right = try sum.finish()
        #expect(outcome?.status != 0 || outcome?.output == right.output, "\(step)")
    }

    @Test("at any step of freeing: contents are whole, or away", arguments: freeingSteps)
    fileprivate func freeing(step: Step) throws {
        let folder = try MountedFolder()
        try write(Pattern.bytes(version: 1, size: Self.size), to: folder.behind("file"))
        try folder.mount()
        let worker = try StandInWorker(folder, .keep)
        try kill(folder, "job", at: step) {
            let answer = Result { try worker.free("file", version: 1) }
            worker.close()
            return (try? answer.get() == nil) ?? false
        }
        try expectWhole(folder, Self.size)
    }

    @Test(
        "at any step of describing: it stands for the former version, or for the new one", arguments: describingSteps,
        [(300_000, 100_000), (100_000, 300_000), (100_000, 100_000)])
    fileprivate func describing(step: Step, sizes: (old: Int, new: Int)) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder, .keep)
        try worker.make([("file", 1, sizes.old)])
        try kill(folder, "job", at: step) {
            let answer = Result { try worker.describe("file", version: 2, size: sizes.new) }
            worker.close()
            return (try? answer.get() == nil) ?? false
        }
        let later = try StandInWorker(folder, .fill)
        defer { later.close() }
        let found = contents(of: folder("file"))
        let isNew = found == .success(Pattern.bytes(version: 2, size: sizes.new))
        let isFormer = found == .success(Pattern.bytes(version: 1, size: sizes.old))
        #expect(isNew || isFormer, "\(step): \(Pattern.difference(of: found, from: 2))")
        #expect(isNew == (later.wanted.last?.contents.version == Pattern.version(2)), "\(step)")
    }

    @Test(
        "what fails while a placeholder is described leaves one",
        arguments: ["fsetxattr", "ftruncate", "utimensat"])
    func failingToDescribe(call: String) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder, .fill)
        defer { worker.close() }
        try worker.make([("file", 1, Self.size)])
        let tracer = try Tracer(folder.process, threads: "job", [call: .fail("EIO")])
        #expect(try worker.describe("file", version: 2, size: 100) == .ioError)
        try tracer.end()
        #expect(folder.isMarked("file"))
        // Once more, from wherever it stopped.
        #expect(try worker.describe("file", version: 3, size: 500) == nil)
        #expect(try fileStatus(of: folder("file")).modified == StandInWorker.date(ofVersion: 3))
        #expect(contents(of: folder("file")) == .success(Pattern.bytes(version: 3, size: 500)))
    }

    @Test(
        "what fails while they are put in fails for who waits; they stay away",
        arguments: ["fsync", "utimensat", "fremovexattr"])
    func failingToFill(call: String) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder, .keep)
        try worker.make([("file", 1, Self.size)])
        let tracer = try Tracer(folder.process, threads: "job", [call: .fail("EDQUOT")])
        let reader = try RunningProgram(["cat", folder("file")], environment: RunningProgram.inheritedEnvironment)
        #expect(try worker.fill(try worker.fetch()) == .diskQuotaExceeded)
        #expect(try reader.finish().errors.contains("quota"))
        #expect(folder.isMarked("file"))
        try tracer.end()
        worker.close()
        try expectWhole(folder, Self.size)
    }

    @Test(
        "what fails while they are taken out fails; the mark stays as soon as some may be gone",
        arguments: [("fsetxattr", false), ("fsync", false), ("fallocate", true)])
    func failingToFree(call: String, isMarked: Bool) throws {
        let folder = try MountedFolder()
        try write(Pattern.bytes(version: 1, size: Self.size), to: folder.behind("file"))
        try folder.mount()
        let worker = try StandInWorker(folder, .keep)
        let tracer = try Tracer(folder.process, threads: "job", [call: .fail("EIO")])
        #expect(try worker.free("file", version: 1) == .ioError)
        #expect(folder.isMarked("file") == isMarked)
        try tracer.end()
        worker.close()
        try expectWhole(folder, Self.size)
    }

    @Test(
        "what fails when some of it was moved fails with its reason; what is left is never put in, and the next fetch works",
        arguments: [("copy_file_range", 2), ("fsetxattr", 1), ("ftruncate", 1), ("ftruncate", 2), ("fsync", 1)])
    func failingMidway(call: String, number: Int) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, Self.largeSize)])
        let staged = try worker.stage(version: 1, size: Self.largeSize)
        let before = try fileStatus(of: folder(staged))
        let tracer = try Tracer(folder.process, threads: "job", [call: .failOnce("ENOSPC", number)])
        let reader = try RunningProgram(["cat", folder("file")], environment: RunningProgram.inheritedEnvironment)
        let wanted = try worker.fetch()
        let request = worker.beginFill(.fetch(wanted.fetch), staged: staged, version: Pattern.version(1))
        let error = try worker.end(of: request)
        try tracer.end()
        // File systems with clones do without most of it.
        #expect(error == .noSpace || error == nil && call != "fsync" && MountedFolder.hasClones)
        let outcome = try reader.finish()
        guard error != nil else { return }
        #expect(outcome.errors.contains("No space left"))
        #expect(folder.isMarked("file"))
        var status = stat()
        #expect(stat(folder.behind("file"), &status) == 0 && status.st_blocks <= 8)
        // The kernel is told how much is left, and nothing makes it whole again.
        let isSpent = getxattr(folder.behind(staged), "user.roundel.spent", nil, 0) > 0
        let left = try fileStatus(of: folder(staged))
        #expect(left.size == before.size || isSpent)
        #expect(truncate(folder(staged), off_t(Self.largeSize)) == 0)
        if isSpent {
            let item = try fileStatus(of: folder("file"))
            let target = WorkerRequest.Target.item(
                ItemReference(path: try #require(NodePath("file".utf8)), inode: item.inode))
            #expect(
                try worker.end(of: worker.beginFill(target, staged: staged, version: Pattern.version(1)))
                    == .invalidArgument)
        }
        worker.set(.fill)
        #expect(contents(of: folder("file")) == .success(Pattern.bytes(version: 1, size: Self.largeSize)))
    }

    private func expectWhole(_ folder: MountedFolder, _ size: Int) throws {
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        #expect(try fileStatus(of: folder("file")).size == UInt64(size))
        #expect(contents(of: folder("file")) == .success(Pattern.bytes(version: 1, size: size)))
    }

    @Test(
        "at any step of emptying: nothing comes back, whatever is written then",
        arguments: [Step(call: "ftruncate", isMarked: true), Step(call: "lremovexattr", isMarked: true)],
        [0o644, 0o444] as [UInt32])
    fileprivate func emptying(step: Step, mode: UInt32) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let maker = try StandInWorker(folder)
        try maker.make([("file", 1, Self.size)], mode: mode)
        try kill(folder, "kernel", at: step) {
            let file = open(folder("file"), O_WRONLY | O_TRUNC | O_CLOEXEC)
            #expect(file < 0 && errno == ECONNABORTED)
            maker.close()
            return file >= 0
        }
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        let before = Pattern.bytes(version: 1, size: Self.size)
        #expect(contents(of: folder("file")) == .success(step.call == "ftruncate" ? before : []))
        // As large as what was there.
        let bytes = Pattern.bytes(version: 2, size: Self.size)
        try write(bytes, to: folder("file"))
        #expect(contents(of: folder("file")) == .success(bytes))
        try folder.end()
        try folder.mount()
        #expect(contents(of: folder("file")) == .success(bytes))
    }

    @Test(
        "at any moment under load: what was acknowledged is there, and what is read is right",
        arguments: SeededRandom.seeds(1, for: "KillTests.load"))
    func underLoad(seed: UInt64) throws {
        let folder = try MountedFolder()
        var random = SeededRandom(seed: seed)
        var acknowledged = 0
        let expected = Pattern.bytes(version: 7, size: 30_000)
        try write(expected, to: folder.behind("read"))
        for round in 0..<15 {
            try folder.mount()
            let worker = try StandInWorker(folder)
            let log = open(folder("log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            #expect(log >= 0)
            let victim = folder.process
            let delay = UInt32.random(in: 0..<60_000, using: &random)
            try DetachedThread.start("killer") {
                usleep(delay)
                _ = Glibc.kill(victim, SIGKILL)
            }
            while case let line = "\(acknowledged)\n", Glibc.write(log, line, line.utf8.count) == line.utf8.count {
                acknowledged += 1
                if acknowledged % 16 == 0 { _ = try? worker.free("read", version: 7) }
                if case .success(let bytes) = contents(of: folder("read")) { #expect(bytes == expected) }
                _ = try? write([1], to: folder("scratch"))
            }
            close(log)
            worker.close()
            folder.kill()
            folder.unmount()
            guard case .success(let bytes) = contents(of: folder.behind("log")) else { throw Failure("no log") }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
            // The one that was being written may be there or not.
            #expect(lines.count == acknowledged || lines.count == acknowledged + 1, "seed \(seed), round \(round)")
            #expect(lines == Array(0..<lines.count), "seed \(seed), round \(round)")
            acknowledged = lines.count
        }
    }
}
