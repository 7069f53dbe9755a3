/// A set of small numbers, one bit for each.
struct IndexBits {
    private var words: [UInt64] = []

    func contains(_ index: Int) -> Bool {
        let word = index >> 6
        return word < words.count && words[word] & (1 << UInt64(index & 63)) != 0
    }

    mutating func insert(_ index: Int) {
        let word = index >> 6
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        words[word] |= 1 << UInt64(index & 63)
    }

    mutating func remove(_ index: Int) {
        let word = index >> 6
        guard word < words.count else { return }
        words[word] &= ~(1 << UInt64(index & 63))
    }
}
