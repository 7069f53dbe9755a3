import Glibc

/// Random numbers that a seed determines; the seed is taken from `ROUNDEL_SEED` or drawn, and printed.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter test: what the printed line names.
    init(for test: String) {
        let given = getenv("ROUNDEL_SEED").flatMap { UInt64(String(cString: $0)) }
        state = given ?? UInt64.random(in: 1...UInt64(UInt32.max))
        print("\(test): ROUNDEL_SEED=\(state)")
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
