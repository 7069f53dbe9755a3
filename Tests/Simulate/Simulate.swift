import ArgumentParser
import Dispatch
import Foundation
import SimulatedWorld
import Synchronization

/// Runs histories of the simulated world and prints the first seed that does not hold.
@main
struct Simulate: ParsableCommand {
    @Option(help: "How many histories.")
    var seeds: UInt64 = 1_000

    @Option(help: "The first seed; without it the one in ROUNDEL_SEED, else a new one.")
    var seed: UInt64?

    @Option(help: "How many threads.")
    var threads: Int = 2

    @Option(help: "Play this script, as a failure prints it, and no seeds.")
    var script: String?

    @Flag(help: "Look for the shortest script that breaks as the given one does, and print it.")
    var shrink = false

    @Option(parsing: .upToNextOption, help: "What every world has besides: \(SimulatedTrait.names).")
    var with: [SimulatedTrait] = []

    @Option(parsing: .upToNextOption, help: "What no world has.")
    var without: [SimulatedTrait] = []

    @Flag(help: "Print everything that happens.")
    var verbose = false

    @Flag(help: "Go on after a violation and count them.")
    var keepGoing = false

    @Option(help: "Which store: memory, sqlite, or both: every eighth history has SQLite, which takes twice the time.")
    var store: Store = .both

    enum Store: String, ExpressibleByArgument {
        case memory
        case sqlite
        case both
    }

    private func history(_ seed: UInt64, _ sqlite: CrashableSQLiteStore?) throws -> UInt64 {
        // Each of two threads takes every second seed, so that the turn goes by pairs.
        if let sqlite, store == .sqlite || (store == .both && seed / 2 % 8 == 1) {
            return try sqlite.run(script(seed), isVerbose: verbose)
        } else {
            return try SimulatedHistory.run(script(seed), store: CrashableMemoryStore(), isVerbose: verbose)
        }
    }

    private func script(_ seed: UInt64) -> SimulatedScript {
        SimulatedScript(seed: seed, always: Set(with), never: Set(without))
    }

    private func play(_ text: String) throws {
        guard let script = SimulatedScript(text) else { throw ValidationError("This is no script.") }
        if shrink { return print("shrunk: \(script.shrunk())") }
        try SimulatedHistory.run(script, store: CrashableMemoryStore(), isVerbose: verbose)
    }

    /// The first seed of this run.
    private var firstSeed: UInt64 {
        seed ?? ProcessInfo.processInfo.environment["ROUNDEL_SEED"].flatMap(UInt64.init)
            ?? UInt64.random(in: 1...999_999_999)
    }

    func run() throws {
        if let script { return try play(script) }
        let first = firstSeed
        print("ROUNDEL_SEED=\(first)")
        let clock = ContinuousClock()
        let start = clock.now
        let violations = Mutex<[String]>([])
        let outcome = Mutex<UInt64>(0)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            let sqlite = try? CrashableSQLiteStore()
            var number = UInt64(thread)
            while number < seeds {
                if !keepGoing && violations.withLock({ !$0.isEmpty }) { return }
                do {
                    let number = try history(first &+ number, sqlite)
                    outcome.withLock { $0 &+= number }
                } catch {
                    let violation = "seed \(first &+ number): \(error)"
                    violations.withLock { $0.append(violation) }
                    print(violation)
                    // Of a run of hours each is known when it is found.
                    fflush(nil)
                }
                number += UInt64(threads)
            }
        }
        let found = violations.withLock { $0 }
        if let script = found.first.flatMap({ $0.components(separatedBy: "script: ").last }).flatMap(
            SimulatedScript.init)
        {
            print("shrunk: \(script.shrunk())")
        }
        let seconds = (clock.now - start) / Duration.seconds(1)
        let classes = Dictionary(grouping: found) { violation in
            violation.drop { $0 != ":" }.dropFirst().prefix { $0 != ":" && $0 != "\n" }.filter { !$0.isNumber }
        }
        for (words, cases) in classes.sorted(by: { $0.value.count > $1.value.count }) where found.count > 1 {
            print("\(cases.count) ×\(String(words).prefix(100))")
        }
        print("\(seeds) seeds, \(found.count) violations, \(Int(Double(seeds) / seconds)) histories a second")
        // A change that is to leave everything as it is leaves this number too.
        if ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] != nil {
            print("outcome \(String(outcome.withLock { $0 }, radix: 16))")
        }
        if !found.isEmpty { throw ExitCode(1) }
    }
}

extension SimulatedTrait: ExpressibleByArgument {
    /// From its name.
    public init?(argument: String) {
        guard let named = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = named
    }

    fileprivate static var names: String { allCases.map(\.name).joined(separator: ", ") }
}
