import Glibc

/// Random numbers that a seed repeats, everywhere (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    /// What the sequence follows from; to be named where a test fails.
    public let seed: UInt64
    private var state: UInt64

    /// A generator whose whole sequence follows from the seed.
    public init(seed: UInt64) {
        self.seed = seed
        // Neighbouring seeds are far apart in the sequence of the generator.
        state = seed &* 0xD134_2543_DE82_EF95 &+ 0x1234_5678_9ABC_DEF1
    }

    /// A generator with a seed chosen as ``chosenSeed(_:)`` does.
    public init(for test: String) {
        self.init(seed: Self.chosenSeed(test))
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The seed from `ROUNDEL_SEED`, else a new one; printed, so that a failure can be repeated.
    public static func chosenSeed(_ test: String) -> UInt64 {
        let given = getenv("ROUNDEL_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = given ?? UInt64.random(in: 1...999_999_999)
        print("\(test): ROUNDEL_SEED=\(seed)")
        return seed
    }

    /// The seed that ``chosenSeed(_:)`` gives and those that follow it, for a test that runs several times.
    public static func seeds(_ count: UInt64, for test: String) -> [UInt64] {
        let first = chosenSeed(test)
        return (0..<count).map { first &+ $0 }
    }
}
