/// A set of small numbers, with one bit for each.
struct IndexBits {
    private var words: [UInt64] = []
    /// The number of elements.
    private(set) var count = 0

    func contains(_ index: Int) -> Bool {
        let word = index >> 6
        return word < words.count && words[word] & (1 << UInt64(index & 63)) != 0
    }

    mutating func insert(_ index: Int) {
        let word = index >> 6
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        let bit: UInt64 = 1 << UInt64(index & 63)
        if words[word] & bit == 0 { count += 1 }
        words[word] |= bit
    }

    mutating func remove(_ index: Int) {
        let word = index >> 6
        guard word < words.count else { return }
        let bit: UInt64 = 1 << UInt64(index & 63)
        if words[word] & bit != 0 { count -= 1 }
        words[word] &= ~bit
    }
}
