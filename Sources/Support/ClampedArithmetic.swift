/// Sums and products of numbers from outside, which may be as large as the type permits. A result that is out of range
/// becomes the limit of the range.
extension Int64 {
    /// The sum.
    package func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOutside) = addingReportingOverflow(other)
        return isOutside ? (other < 0 ? .min : .max) : sum
    }

    /// The product.
    package func multipliedClamped(by factor: Int64) -> Int64 {
        let (product, isOutside) = multipliedReportingOverflow(by: factor)
        return isOutside ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}
