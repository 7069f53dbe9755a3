import Foundation
import SimulatedWorld
import Testing

/// `ROUNDEL_SEED` sets the first seed, so that a seed that failed can be run again.
private let firstSeed = ProcessInfo.processInfo.environment["ROUNDEL_SEED"].flatMap(UInt64.init) ?? 0

@Suite("Simulated histories")
struct SimulationTests {
    @Test("D6 D7: histories with crashes and faults converge and lose nothing", arguments: 0..<10)
    func histories(block: Int) throws {
        for number in 0..<30 {
            try SimulatedHistory.run(seed: firstSeed + UInt64(block * 30 + number), store: CrashableMemoryStore())
        }
    }

    @Test("a seed is the same history each time")
    func deterministic() throws {
        for seed in firstSeed..<firstSeed + 10 {
            let first = try SimulatedHistory.run(seed: seed, store: CrashableMemoryStore())
            #expect(try SimulatedHistory.run(seed: seed, store: CrashableMemoryStore()) == first)
        }
    }
}
