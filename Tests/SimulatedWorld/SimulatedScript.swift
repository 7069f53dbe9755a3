import TestSupport

/// What happens in a history, act by act: it can be printed, read back, and played again without some of its acts.
///
/// Each act draws from a seed of its own, so that leaving one out changes the others as little as may be.
package struct SimulatedScript: Sendable, CustomStringConvertible {
    /// One thing that happens.
    struct Act: Hashable, Sendable {
        /// What it is; the letter is its name in print.
        enum Kind: Character, Sendable {
            /// A person changes the local side.
            case local = "l"
            /// A person changes the remote.
            case remote = "r"
            /// The session, an effect, a timer or an event goes one step on.
            case step = "s"
            /// A person asks the session for something.
            case command = "c"
            /// A file system inside the folder comes or goes.
            case mount = "m"
            /// A root goes or comes back.
            case root = "o"
            /// A backup of the remote is made.
            case backup = "b"
            /// The remote is put back as it was.
            case putBack = "p"
            /// The process is killed.
            case kill = "k"
            /// The machine stops.
            case crash = "x"
            /// Everything that is under way comes to its end.
            case rest = "q"
        }

        var kind: Kind
        var seed: UInt64
    }

    /// What the world is like.
    let world: UInt64
    /// What it has besides.
    private(set) var traits: Set<SimulatedTrait>
    private(set) var acts: [Act]

    /// The script that follows from a seed.
    ///
    /// - Parameters:
    ///   - always: What every world has.
    ///   - never: What none has.
    package init(seed: UInt64, always: Set<SimulatedTrait> = [], never: Set<SimulatedTrait> = []) {
        var random = SeededRandom(seed: seed)
        world = random.next() >> 32
        traits = SimulatedTrait.drawn(from: seed).union(always).subtracting(never)
        acts = []
        let hasCrashes = random.oneIn(2)
        for _ in 0...random.below(4) {
            let sides: [Act.Kind] = [[.local, .remote], [.local], [.remote]][random.below(4) % 3]
            if random.oneIn(3) {
                addBurst(of: sides, &random)
            } else {
                addBusyTime(sides, hasCrashes: hasCrashes, &random)
            }
            if !random.oneIn(6) { add(.rest, &random) }
        }
    }

    private mutating func add(_ kind: Act.Kind, _ random: inout SeededRandom) {
        acts.append(Act(kind: kind, seed: random.next() >> 32))
    }

    /// People do something while the session has nothing to do, and then it works alone.
    private mutating func addBurst(of sides: [Act.Kind], _ random: inout SeededRandom) {
        for _ in 0...random.below(6) { add(random.pick(sides) ?? .local, &random) }
        for _ in 0..<random.below(30) { add(.step, &random) }
    }

    /// People, the session, commands and what goes wrong, in any order.
    private mutating func addBusyTime(_ sides: [Act.Kind], hasCrashes: Bool, _ random: inout SeededRandom) {
        for _ in 0..<(5 + random.below(40)) {
            switch random.below(120) {
            case 0..<30: add(random.pick(sides) ?? .local, &random)
            case 30..<32: add(.command, &random)
            case 32: add(.mount, &random)
            case 33: add(.root, &random)
            case 34: add(random.oneIn(2) ? .backup : .putBack, &random)
            case 35: add(.kill, &random)
            case 36..<39 where hasCrashes: add(.crash, &random)
            default: add(.step, &random)
            }
        }
    }

    // MARK: In print

    /// The world, after a plus sign the letters of what it has besides, and the acts, each a letter and its seed, in
    /// hexadecimal digits.
    package var description: String {
        let letters = String(traits.map(\.rawValue).sorted())
        return
            ([String(world, radix: 16) + (letters.isEmpty ? "" : "+\(letters)")]
            + acts.map { "\($0.kind.rawValue)\(String($0.seed, radix: 16))" })
            .joined(separator: " ")
    }

    /// Reads what ``description`` gave; nil for anything else.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        let head = (words.first ?? "").split(separator: "+", maxSplits: 1)
        guard let first = head.first, let world = UInt64(first, radix: 16) else { return nil }
        self.world = world
        traits = []
        for letter in head.dropFirst().joined() {
            guard let trait = SimulatedTrait(rawValue: letter) else { return nil }
            traits.insert(trait)
        }
        acts = []
        for word in words.dropFirst() {
            guard let kind = Act.Kind(rawValue: word[word.startIndex]), let seed = UInt64(word.dropFirst(), radix: 16)
            else { return nil }
            acts.append(Act(kind: kind, seed: seed))
        }
    }

    // MARK: Shrinking

    /// The shortest script that still fails in the same way on an empty memory store.
    package func shrunk() -> SimulatedScript {
        let failure = failure?.sameWords
        return shrunk { $0.failure?.sameWords == failure }
    }

    /// What does not hold when it is played on an empty memory store; nil if everything does.
    private var failure: String? {
        do {
            try SimulatedHistory.run(self, store: CrashableMemoryStore())
            return nil
        } catch {
            return (error as? SimulatedHistory.Violation)?.message ?? "\(error)"
        }
    }

    /// The shortest script that still does what `fails` tells, found by leaving out what the world has besides, then
    /// acts: many together first.
    package func shrunk(while fails: (SimulatedScript) -> Bool) -> SimulatedScript {
        var best = shrunkWorld(while: fails)
        var length = max(best.acts.count / 2, 1)
        while true {
            var start = 0
            var isShorter = false
            while start < best.acts.count {
                var shorter = best
                shorter.acts.removeSubrange(start..<min(start + length, best.acts.count))
                if fails(shorter) {
                    best = shorter
                    isShorter = true
                } else {
                    start += length
                }
            }
            if length == 1 && !isShorter { return best.shrunkWorld(while: fails) }
            length = max(length / 2, 1)
        }
    }

    private func shrunkWorld(while fails: (SimulatedScript) -> Bool) -> SimulatedScript {
        var best = self
        for trait in traits.sorted(by: { $0.rawValue < $1.rawValue }) {
            var plainer = best
            plainer.traits.remove(trait)
            if fails(plainer) { best = plainer }
        }
        return best
    }
}

extension String {
    /// What is said without the numbers and names that it is said of.
    fileprivate var sameWords: [Substring] {
        prefix { $0 != ":" }.split(separator: " ").filter { $0.allSatisfy { $0.isLetter && $0.isASCII } }
    }
}
