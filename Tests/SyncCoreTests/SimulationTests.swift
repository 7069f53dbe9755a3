import SimulatedWorld
import Testing

@Suite("Simulated histories")
struct SimulationTests {
    @Test("D6 D7: a few hundred histories with crashes and faults converge and lose nothing", arguments: 0..<10)
    func histories(block: Int) throws {
        for seed in 0..<30 {
            try SimulatedHistory.run(seed: UInt64(block * 30 + seed), store: CrashableMemoryStore())
        }
    }
}
