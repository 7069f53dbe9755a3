import TestSupport

/// A world in which a script is played, and what does not hold in it is said with that script.
protocol ScriptedWorld {
    var script: SimulatedScript { get }
    /// Whether everything that happens is printed.
    var isVerbose: Bool { get }
    /// Whether effects may fail while an act is played.
    var mayFail: Bool { get }
    var random: SeededRandom { get set }
    /// Whether effects fail at times.
    var hasFaults: Bool { get set }

    /// Plays one act.
    mutating func play(_ kind: SimulatedScript.Act.Kind) throws
}

extension ScriptedWorld {
    /// Plays the acts of the script, each with random numbers of its own.
    mutating func playActs() throws {
        for act in script.acts {
            random = SeededRandom(seed: act.seed)
            log { "== \(act.kind)" }
            hasFaults = mayFail
            try play(act.kind)
            hasFaults = false
        }
    }

    /// Whether this world has that.
    func has(_ trait: SimulatedTrait) -> Bool { script.traits.contains(trait) }

    func violation(_ message: String) -> SimulatedHistory.Violation {
        SimulatedHistory.Violation(script: script, message: message)
    }

    func log(_ text: () -> String) {
        if isVerbose { print(text()) }
    }
}
