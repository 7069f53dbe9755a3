import Support
import Testing

@Suite struct ClampedArithmeticTests {
    @Test(arguments: [(.max, 1, .max), (.max, .min, -1), (.min, -1, .min), (2, 3, 5)] as [(Int64, Int64, Int64)])
    func sums(left: Int64, right: Int64, sum: Int64) {
        #expect(left.addingClamped(right) == sum)
    }

    @Test(
        arguments: [(.max, 2, .max), (.min, 2, .min), (.min, -1, .max), (.max, -2, .min), (3, -4, -12)]
            as [(Int64, Int64, Int64)])
    func products(left: Int64, right: Int64, product: Int64) {
        #expect(left.multipliedClamped(by: right) == product)
    }
}
