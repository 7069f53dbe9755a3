import Testing

@testable import OnDemand

/// Items that lately got another size.
@Suite struct ResizedItemsTests {
    private var items = ResizedItems()

    private mutating func takes(_ number: UInt64) -> Bool { items.remove(NodeNumber(rawValue: number)) }

    @Test("the next to open one begins again, and nobody after")
    mutating func once() {
        items.add(NodeNumber(rawValue: 2))
        items.add(NodeNumber(rawValue: 2))
        let (other, first, second) = (takes(3), takes(2), takes(2))
        #expect(!other && first && !second)
    }

    @Test("of very many, those that were resized last are kept")
    mutating func limited() {
        for number in 1...100 as ClosedRange<UInt64> { items.add(NodeNumber(rawValue: number)) }
        // Again: it counts from now on.
        items.add(NodeNumber(rawValue: 37))
        items.add(NodeNumber(rawValue: 101))
        let kept = (1...101 as ClosedRange<UInt64>).filter { takes($0) }
        #expect(kept == [37] + Array(39...101))
    }
}
