import CLinux
import Glibc
import MountSupport
import Support
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// Programs use a folder on demand while the engine fetches, frees and describes. Every version of every file says in
/// its first line how long it is and what it consists of, so that whoever reads it sees whether it is one version, whole.
@Suite(
    "Programs use a folder on demand while contents come and go",
    .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"))
struct MountedHistoryTests {
    /// Reads, replaces, renames and removes files at random, and prints what was read that cannot be.
    private static let program = #"""
        import os, random, sys, time
        folder, seed, seconds, writes = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4] == "writes"
        rnd = random.Random(seed)
        end = time.monotonic() + seconds
        def whole(text):
            head, _, rest = text.partition(b"\n")
            try:
                mark, size = head.split(b" ")
                return len(text) == int(size) and rest == (mark * (len(rest) // len(mark) + 1))[:len(rest)]
            except (ValueError, ZeroDivisionError):
                return False
        def version():
            mark, size = b"%08x" % rnd.getrandbits(32), rnd.choice([100, 5000, 70000, 300000])
            head = mark + b" %d\n" % size
            return head + (mark * (size // 8 + 1))[:size - len(head)]
        reads = 0
        while time.monotonic() < end:
            names = [f"d{n}/f{m}" for n in range(2) for m in range(5)]
            path = os.path.join(folder, rnd.choice(names))
            deed = rnd.randrange(10)
            try:
                if deed < 6 or not writes:
                    with open(path, "rb") as file:
                        text = file.read()
                    reads += 1
                    if not whole(text):
                        print("WRONG", path, len(text), text[:40])
                elif deed < 8:
                    other = path + f".{os.getpid()}.tmp"
                    with open(other, "wb") as file:
                        file.write(version())
                    os.rename(other, path)
                elif deed == 8:
                    os.rename(path, os.path.join(folder, rnd.choice(names)))
                else:
                    os.unlink(path)
            except OSError:
                pass
            time.sleep(rnd.random() * 0.02)
        print("reads", reads)
        """#

    private static func version(_ random: inout SeededRandom) -> String {
        let mark = String(UInt32.random(in: 0x1000_0000...UInt32.max, using: &random), radix: 16)
        let size = [100, 5_000, 70_000, 300_000].randomElement(using: &random) ?? 100
        let head = "\(mark) \(size)\n"
        return head + String(String(repeating: mark, count: size / 8 + 1).prefix(size - head.utf8.count))
    }

    private static let names = (0..<2).flatMap { directory in (0..<5).map { "d\(directory)/f\($0)" } }

    private func isWhole(_ text: String) -> Bool {
        guard let end = text.firstIndex(of: "\n") else { return false }
        let head = text[..<end].split(separator: " ")
        guard head.count == 2, let size = Int(head[1]), size == text.utf8.count else { return false }
        let rest = text[text.index(after: end)...]
        return rest == String(repeating: String(head[0]), count: rest.utf8.count / 8 + 1).prefix(rest.utf8.count)
    }

    @Test(
        "what is read is one version, whole; in the end both sides have the same",
        arguments: SeededRandom.seeds(1, for: "MountedHistoryTests"))
    func history(seed: UInt64) throws {
        let world = try MountedWorld()
        var random = SeededRandom(seed: seed)
        for name in Self.names { try world.remote.write(Self.version(&random), to: name) }
        try world.start()
        let programs = try (0..<4).map { number in
            try RunningProgram(
                [
                    "python3", "-c", Self.program, world.mount.path, "\(seed &+ UInt64(number))", "6",
                    number < 2 ? "writes" : "reads",
                ], environment: RunningProgram.inheritedEnvironment)
        }
        while programs.contains(where: \.isRunning) {
            let name = Self.names.randomElement(using: &random) ?? "d0/f0"
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: _ = try? world.demand(.away, name)
            case 2: _ = try? world.demand(.away, "d0")
            case 3:
                try world.remote.write(Self.version(&random), to: "\(name).new")
                try? world.remote.rename("\(name).new", to: name)
            case 4: try? world.remote.remove(name)
            default: break
            }
            try world.syncNow()
        }
        for program in programs {
            let outcome = try program.finish()
            #expect(outcome.status == 0 && !outcome.output.contains("WRONG"), "seed \(seed): \(outcome)")
        }
        try world.sync("seed \(seed): it is quiet") {
            guard try world.syncNow().isSilent, let counts = world.lastStatus?.counts else { return false }
            return counts.pending == 0 && counts.errors == 0
        }
        for directory in ["d0", "d1"] {
            let names = try world.remote.names(in: directory).sorted()
            let listed = try world.run(["ls", world.mount(directory)]).output.split(separator: "\n").map(String.init)
            #expect(listed.sorted() == names, "seed \(seed)")
            for name in names {
                let text = try world.remote.read("\(directory)/\(name)")
                #expect(try world.read("\(directory)/\(name)") == text, "seed \(seed): \(directory)/\(name)")
                #expect(name.contains("tmp") || isWhole(text), "seed \(seed): \(directory)/\(name)")
            }
        }
    }
}
