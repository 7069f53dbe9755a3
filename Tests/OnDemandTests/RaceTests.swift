import CLinux
import Glibc
import MountSupport
import OnDemand
import Support
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Threads that do something again and again until they are told to stop.
private final class Crowd: Sendable {
    private let isOver = Atomic(false)
    private let running = Atomic(0)
    private let problems = Mutex<[String]>([])

    func start(_ name: String, seed: UInt64, _ body: @escaping @Sendable (inout SeededRandom) throws -> Void) throws {
        running.add(1, ordering: .sequentiallyConsistent)
        try DetachedThread.start(name) {
            var random = SeededRandom(seed: seed)
            while !self.isOver.load(ordering: .relaxed) {
                do { try body(&random) } catch {
                    self.problems.withLock { $0.append("\(name): \(error)") }
                    break
                }
            }
            self.running.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Tells them to stop and waits; gives what went wrong.
    func stop() throws -> [String] {
        isOver.store(true, ordering: .relaxed)
        let end = ContinuousClock.now + .seconds(240)
        while running.load(ordering: .sequentiallyConsistent) > 0 {
            guard ContinuousClock.now < end else { throw Failure("\(running.load(ordering: .relaxed)) threads hang") }
            usleep(1_000)
        }
        return problems.withLock { $0 }
    }

    var hasProblem: Bool { problems.withLock { !$0.isEmpty } }
}

/// Counts what happened, so that a race is one.
private final class Tally: Sendable {
    let reads = Atomic(0)
    let frees = Atomic(0)
    let emptied = Atomic(0)
}

@Suite(
    "Everything at once", .serialized,
    .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"))
struct RaceTests {
    private static let size = 70_000
    private static let names = (0..<6).map { "file-\($0)" }

    /// Errors that a read may end with while files are renamed and the worker is killed.
    private static func read(_ path: String, allowed: Set<Int32>) throws -> [UInt8]? {
        switch contents(of: path) {
        case .success(let bytes): return bytes
        case .failure(let refusal) where allowed.contains(refusal.number): return nil
        case .failure(let refusal): throw Failure("\(path): \(refusal)")
        }
    }

    @Test(
        "readers see whole contents while they are freed, fetched and renamed",
        arguments: SeededRandom.seeds(3, for: "RaceTests.whole"))
    func whole(seed: UInt64) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        let (crowd, tally) = (Crowd(), Tally())
        let (path, names, size) = (folder.path, Self.names, Self.size)
        for (number, name) in names.enumerated() {
            try write(Pattern.bytes(version: UInt64(number), size: size), to: folder(name))
        }
        let expected = names.indices.map { Pattern.bytes(version: UInt64($0), size: size) }
        for reader in 0..<4 as Range<UInt64> {
            try crowd.start("reader", seed: seed &* 10 &+ reader) { random in
                let number = Int.random(in: names.indices, using: &random)
                // A renamed file is looked for once, and may be the other name's then.
                let name = Bool.random(using: &random) ? names[number] : names[number] + "-renamed"
                guard let bytes = try Self.read("\(path)/\(name)", allowed: [ENOENT]) else { return }
                tally.reads.add(1, ordering: .relaxed)
                if bytes != expected[number] {
                    throw Failure("\(name) holds \(Self.difference(bytes, expected[number]))")
                }
            }
        }
        try crowd.start("renamer", seed: seed &+ 5) { random in
            let name = "\(path)/\(names[Int.random(in: names.indices, using: &random)])"
            if rename(name, name + "-renamed") != 0 { _ = rename(name + "-renamed", name) }
            usleep(500)
        }
        try crowd.start("worker", seed: seed &+ 6) { random in
            let number = Int.random(in: names.indices, using: &random)
            guard let status = try? fileStatus(of: "\(path)/\(names[number])") else { return }
            if try worker.free(names[number], status, version: UInt64(number)) == nil {
                tally.frees.add(1, ordering: .relaxed)
            }
        }
        try wait(for: crowd) {
            tally.reads.load(ordering: .relaxed) > 1_500 && tally.frees.load(ordering: .relaxed) > 60
        }
        #expect(try crowd.stop() == [], "seed \(seed)")
    }

    @Test(
        "nobody sees zeros or a mixture when files are emptied and written anew meanwhile",
        arguments: SeededRandom.seeds(3, for: "RaceTests.emptied"))
    func emptied(seed: UInt64) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        let (crowd, tally) = (Crowd(), Tally())
        let (path, names, size) = (folder.path, Array(Self.names.prefix(3)), Self.size)
        // Which versions a page may be of: all that were ever written.
        let last = Atomic<UInt64>(100)
        for (number, name) in names.enumerated() {
            try write(Pattern.bytes(version: UInt64(number), size: size), to: folder(name))
        }
        let versions = Mutex<[UInt64]>(names.indices.map { UInt64($0) })
        let current = Mutex<[UInt64]>(names.indices.map { UInt64($0) })
        for reader in 0..<3 as Range<UInt64> {
            try crowd.start("reader", seed: seed &* 10 &+ reader) { random in
                let name = names[Int.random(in: names.indices, using: &random)]
                guard let bytes = try Self.read("\(path)/\(name)", allowed: []) else { return }
                tally.reads.add(1, ordering: .relaxed)
                let known = versions.withLock { $0 }
                for start in stride(from: 0, to: bytes.count, by: 4_096) {
                    let page = bytes[start..<min(bytes.count, start + 4_096)]
                    let isOne = known.reversed().contains { version in
                        page.indices.allSatisfy { page[$0] == Pattern.byte(version, $0) }
                    }
                    if !isOne {
                        throw Failure("\(name): the page at \(start) is of no version, it begins \(page.prefix(8))")
                    }
                }
            }
        }
        try crowd.start("writer", seed: seed &+ 5) { random in
            let number = Int.random(in: names.indices, using: &random)
            let version = last.add(1, ordering: .relaxed).newValue
            let bytes = Pattern.bytes(version: version, size: size)
            versions.withLock { $0 = Array(($0 + [version]).suffix(40)) }
            let file = open("\(path)/\(names[number])", O_WRONLY | O_TRUNC | O_CLOEXEC)
            guard file >= 0 else { throw Failure("open: \(errno)") }
            defer { close(file) }
            guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Failure("write: \(errno)") }
            current.withLock { $0[number] = version }
            tally.emptied.add(1, ordering: .relaxed)
            usleep(UInt32.random(in: 0..<20_000, using: &random))
        }
        try crowd.start("worker", seed: seed &+ 6) { random in
            let number = Int.random(in: names.indices, using: &random)
            // What it has uploaded is what it saw: the status before, the version after.
            let status = try fileStatus(of: "\(path)/\(names[number])")
            let version = current.withLock { $0[number] }
            guard status.size == UInt64(size), case .success(let bytes) = contents(of: "\(path)/\(names[number])"),
                bytes == Pattern.bytes(version: version, size: size)
            else { return }
            if try worker.free(names[number], status, version: version) == nil {
                tally.frees.add(1, ordering: .relaxed)
            }
        }
        try wait(for: crowd) {
            tally.reads.load(ordering: .relaxed) > 500 && tally.frees.load(ordering: .relaxed) > 20
                && tally.emptied.load(ordering: .relaxed) > 100
        }
        #expect(try crowd.stop() == [], "seed \(seed)")
    }

    @Test(
        "workers come and go, readers are killed: contents stay whole",
        arguments: SeededRandom.seeds(2, for: "RaceTests.workers"))
    func workers(seed: UInt64) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let (crowd, tally) = (Crowd(), Tally())
        let (path, names, size) = (folder.path, Self.names, Self.size)
        for (number, name) in names.enumerated() {
            try write(Pattern.bytes(version: UInt64(number), size: size), to: folder(name))
        }
        let expected = names.indices.map { Pattern.bytes(version: UInt64($0), size: size) }
        for reader in 0..<3 as Range<UInt64> {
            try crowd.start("reader", seed: seed &* 10 &+ reader) { random in
                let number = Int.random(in: names.indices, using: &random)
                guard let bytes = try Self.read("\(path)/\(names[number])", allowed: [EIO, ENETUNREACH]) else { return }
                tally.reads.add(1, ordering: .relaxed)
                if bytes != expected[number] {
                    throw Failure("\(names[number]) holds \(Self.difference(bytes, expected[number]))")
                }
            }
        }
        try crowd.start("killed", seed: seed &+ 4) { random in
            let name = "\(path)/\(names[Int.random(in: names.indices, using: &random)])"
            let child = try RunningProgram(["cat", name], environment: RunningProgram.inheritedEnvironment)
            usleep(UInt32.random(in: 0..<10_000, using: &random))
            _ = try child.end(with: SIGKILL)
        }
        var random = SeededRandom(seed: seed)
        for _ in 0..<12 {
            let worker = try StandInWorker(folder)
            for _ in 0..<25 {
                let number = Int.random(in: names.indices, using: &random)
                let status = try fileStatus(of: "\(path)/\(names[number])")
                _ = try worker.free(names[number], status, version: UInt64(number))
            }
            worker.close()
            try worker.wait("end") { $0.hasEnded }
        }
        #expect(try crowd.stop() == [], "seed \(seed)")
        #expect(tally.reads.load(ordering: .relaxed) > 0)
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        for (number, name) in names.enumerated() { #expect(contents(of: folder(name)) == .success(expected[number])) }
    }

    private func wait(for crowd: Crowd, _ condition: () -> Bool) throws {
        let end = ContinuousClock.now + .seconds(200)
        while !condition() && !crowd.hasProblem {
            guard ContinuousClock.now < end else { throw Failure("too little happened; \(try crowd.stop())") }
            usleep(5_000)
        }
    }

    private static func difference(_ bytes: [UInt8], _ expected: [UInt8]) -> String {
        let place = zip(bytes, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        return
            "\(bytes.count) bytes, other than expected from \(place.map { "\($0): \(bytes[$0...].prefix(8))" } ?? "the end")"
    }
}
