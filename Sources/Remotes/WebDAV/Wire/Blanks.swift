extension BidirectionalCollection<UInt8> {
    /// Without surrounding blanks and newlines, as XML and HTTP allow them around a value.
    func withoutBlanks() -> SubSequence {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        let start = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) }.map { index(after: $0) } ?? start
        return self[start..<Swift.max(start, end)]
    }
}
