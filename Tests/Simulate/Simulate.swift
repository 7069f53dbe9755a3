import ArgumentParser
import Dispatch
import SimulatedWorld
import Synchronization

/// Runs histories of the simulated world and prints the first seed that does not hold.
@main
struct Simulate: ParsableCommand {
    @Option(help: "How many histories.")
    var seeds: UInt64 = 1_000

    @Option(help: "The first seed.")
    var seed: UInt64 = 0

    @Option(help: "How many threads.")
    var threads: Int = 2

    @Flag(help: "Print everything that happens.")
    var verbose = false

    @Flag(help: "Go on after a violation and count them.")
    var keepGoing = false

    func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let violations = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            var next = seed + UInt64(thread)
            while next < seed + seeds {
                if !keepGoing && violations.withLock({ !$0.isEmpty }) { return }
                do {
                    try SimulatedHistory.run(seed: next, store: CrashableMemoryStore(), isVerbose: verbose)
                } catch {
                    violations.withLock { $0.append("\(error)") }
                }
                next += UInt64(threads)
            }
        }
        let found = violations.withLock { $0 }
        for violation in found.prefix(20) { print(violation) }
        let seconds = (clock.now - start) / Duration.seconds(1)
        print("\(seeds) seeds, \(found.count) violations, \(Int(Double(seeds) / seconds)) histories a second")
        if !found.isEmpty { throw ExitCode(1) }
    }
}
