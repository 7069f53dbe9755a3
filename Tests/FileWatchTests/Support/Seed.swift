import Glibc

/// A small generator of reproducible numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    /// The seeds to run with: the one in `ROUNDEL_SEED` or a new one, and those that follow it.
    static func seeds(_ count: UInt64) -> [UInt64] {
        let given = getenv("ROUNDEL_SEED").flatMap { UInt64(String(cString: $0)) }
        let first = given ?? UInt64.random(in: 1...999_999_999)
        return (0..<count).map { first &+ $0 }
    }
}
