import TestSupport

extension SeededRandom {
    /// A number from 0 up to, not including, the bound.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// One of the values, of which there must be some.
    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}
