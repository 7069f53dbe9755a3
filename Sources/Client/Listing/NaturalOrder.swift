/// The order in which users expect names: numbers by their value, letters regardless of case.
enum NaturalOrder {
    /// Whether the first name sorts before the second. A strict total order over byte strings: names that look equal to
    /// a user are ordered by their bytes.
    static func areInIncreasingOrder(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        var left = first[...]
        var right = second[...]
        while let a = left.first, let b = right.first {
            if isDigit(a), isDigit(b) {
                let number = takeNumber(&left)
                let other = takeNumber(&right)
                if number.count != other.count { return number.count < other.count }
                if !number.elementsEqual(other) { return number.lexicographicallyPrecedes(other) }
            } else {
                let x = folded(a)
                let y = folded(b)
                if x != y { return x < y }
                left.removeFirst()
                right.removeFirst()
            }
        }
        if left.isEmpty != right.isEmpty { return left.isEmpty }
        return first.lexicographicallyPrecedes(second)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

    /// Removes the digits at the beginning and returns them without leading zeros.
    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = bytes.prefix(while: isDigit)
        bytes = bytes.dropFirst(digits.count)
        return digits.drop { $0 == 0x30 }
    }
}
