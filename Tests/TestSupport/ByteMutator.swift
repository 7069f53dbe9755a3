import Glibc

/// Inputs for readers that must take anything: samples, changed at random.
public struct ByteMutator {
    /// What is random in them.
    public var random: SeededRandom
    private let samples: [[UInt8]]
    /// Bytes that mean something to what is read.
    private let tokens: [[UInt8]]

    /// - Parameters:
    ///   - samples: right inputs.
    ///   - tokens: pieces that are put in here and there.
    public init(_ random: SeededRandom, samples: [[UInt8]], tokens: [String] = []) {
        self.random = random
        self.samples = samples
        self.tokens = tokens.map { Array($0.utf8) }
    }

    /// The next input: a sample with some changes, now and then with none.
    public mutating func next() -> [UInt8] {
        var bytes = samples[Int.random(in: samples.indices, using: &random)]
        for _ in 0..<Int.random(in: 0...6, using: &random) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...16, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4 where !tokens.isEmpty:
            bytes.insert(contentsOf: tokens[Int.random(in: tokens.indices, using: &random)], at: place)
        case 5: setNumber(in: &bytes, near: place)
        case 6: bytes = Array(bytes[..<place]) + samples[Int.random(in: samples.indices, using: &random)].suffix(end)
        default: bytes = Array(bytes[..<place])
        }
    }

    /// A length, likely, that is wrong.
    private mutating func setNumber(in bytes: inout [UInt8], near place: Int) {
        let start = place & ~3
        guard start + 4 <= bytes.count else { return }
        let numbers: [UInt32] = [0, 1, 3, 4, 0x7F, 0xFF, 0x7FFF_FFFF, 0x8000_0000, .max, UInt32(bytes.count)]
        let number = numbers[Int.random(in: numbers.indices, using: &random)]
        withUnsafeBytes(of: number) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }

    /// Reads so many inputs, or goes on for as long as `ROUNDEL_FUZZ_SECONDS` says.
    public mutating func run(_ rounds: Int, _ body: (inout ByteMutator, [UInt8]) throws -> Void) rethrows {
        let seconds = getenv("ROUNDEL_FUZZ_SECONDS").flatMap { Int(String(cString: $0)) }
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        var round = 0
        while end.map({ ContinuousClock.now < $0 }) ?? (round < rounds) {
            let input = next()
            try body(&self, input)
            round += 1
        }
        print("\(round) inputs were read")
    }
}
