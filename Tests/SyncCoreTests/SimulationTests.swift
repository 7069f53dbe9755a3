import Foundation
import SimulatedWorld
import Testing

/// The first seed: the one in `ROUNDEL_SEED`, so that a seed that failed can be run again, else a new one. It is printed.
private let firstSeed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["ROUNDEL_SEED"].flatMap(UInt64.init)
    let seed = given ?? UInt64.random(in: 1...999_999_999)
    print("SimulationTests: ROUNDEL_SEED=\(seed)")
    return seed
}()

@Suite("Simulated histories")
struct SimulationTests {
    @Test("D6 D7: histories with crashes and faults converge and lose nothing", arguments: 0..<10)
    func histories(block: Int) throws {
        for number in 0..<30 {
            try SimulatedHistory.run(seed: firstSeed &+ UInt64(block * 30 + number), store: CrashableMemoryStore())
        }
    }

    @Test("a seed is the same history each time")
    func deterministic() throws {
        for seed in (0..<10).map({ firstSeed &+ $0 }) {
            let first = try SimulatedHistory.run(seed: seed, store: CrashableMemoryStore())
            #expect(try SimulatedHistory.run(seed: seed, store: CrashableMemoryStore()) == first)
        }
    }
}
