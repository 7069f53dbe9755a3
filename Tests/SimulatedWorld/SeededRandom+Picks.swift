import TestSupport

extension SeededRandom {
    /// A number from 0 up to, not including, the bound.
    mutating func below(_ bound: Int) -> Int {
        bound <= 1 ? 0 : Int(next() % UInt64(bound))
    }

    /// True once in so many times on average.
    mutating func oneIn(_ times: Int) -> Bool {
        below(times) == 0
    }

    /// One of the elements; nil if there is none.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }
}
