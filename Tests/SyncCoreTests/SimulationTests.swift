import Foundation
import SimulatedWorld
import TestSupport
import Testing

/// The first seed of the histories.
private let firstSeed = SeededRandom.chosenSeed("SimulationTests")

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
