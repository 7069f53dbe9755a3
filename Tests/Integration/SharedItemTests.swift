import Glibc
import RoundelBus
import TestSupport
import Testing

/// Several processes that read and replace one item while it is synced.
@Suite struct SharedItemTests {
    /// What each process does: replace the item as editors do, read it whole, and stop at the first read that is not
    /// one of the versions that somebody wrote. A version is one character, repeated.
    private static let hammer = """
        import os, random, sys, time
        item, name, rounds, seconds, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
        choice, size, end, number = random.Random(seed), 200_000, time.monotonic() + seconds, 0
        while number < rounds or time.monotonic() < end:
            number += 1
            if choice.random() < 0.5:
                temporary = os.path.join(os.path.dirname(item), f'.{name}.tmp')
                with open(temporary, 'wb') as file: file.write(choice.choice('abcdefgh').encode() * size)
                os.rename(temporary, item)
            with open(item, 'rb') as file: text = file.read()
            if len(text) != size or text != text[:1] * size:
                sys.exit(f'{name} read {len(text)} bytes, of {sorted(set(text))}')
            if number % 50 == 0: print(name, number, flush=True)
        """

    /// Rounds of each process.
    private static let rounds = 150
    /// With ROUNDEL_HAMMER_SECONDS=60 the processes go on for a whole minute.
    private static var seconds: Int { getenv("ROUNDEL_HAMMER_SECONDS").flatMap { Int(String(cString: $0)) } ?? 0 }
    private static let seeds = SeededRandom.seeds(1, for: "SharedItemTests")

    @Test(
        "D6: four processes read and replace one item while it is synced: every read is whole, nothing deadlocks",
        arguments: [[4, 0], [3, 1]], seeds)
    func hammer(places: [Int], seed: UInt64) throws {
        let sync = try SyncWorld(files: ["item": String(repeating: "a", count: 200_000)])
        let sides = Array(repeating: sync.local, count: places[0]) + Array(repeating: sync.remote, count: places[1])
        let processes = try sides.enumerated().map { number, side in
            try RunningProgram(
                [
                    "python3", "-c", Self.hammer, side + "/item", "p\(number)", "\(Self.rounds)", "\(Self.seconds)",
                    "\(seed + UInt64(number))",
                ], environment: sync.world.installation.environment)
        }
        for process in processes {
            let outcome = try process.finish()
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try sync.world.until("both sides are equal and the worker is at rest") {
            try sync.sync().status != 1 && sync.remoteTree() == sync.localTree() && sync.sync().isSilent
        }
        // Whatever became of edits on both sides at once, every version that is kept is whole.
        for (name, bytes) in try sync.localTree() {
            guard let bytes else { continue }
            #expect(bytes.count == 200_000 && Set(bytes).count == 1, "\(name)")
        }
        if places[1] == 0 { #expect(try sync.localTree().keys.sorted() == ["item"]) }
    }
}
