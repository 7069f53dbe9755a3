import Testing

@testable import DBus

/// How much is read of what other programs fill.
@Suite struct ValueBudgetTests {
    /// A reader of a message with this map.
    private func reader(_ map: VariantMap) throws -> MessageReader {
        try MessageWriter.message(.call(nil, "/", nil, "Test")) { try $0.append(map: map) }.reader
    }

    /// Each map, with the values that it holds, itself included, and the bytes of its texts.
    private static let maps: [(VariantMap, values: Int, bytes: Int)] = [
        ([:], 1, 0), (["a": .byte(1)], 2, 1), (["a": .string("text")], 2, 5), (["ä": .bytes([1, 2, 3])], 5, 2),
        (["a": .strings(["one", "two"]), "b": .objectPath("/path")], 5, 13),
        (["a": .map(["in": .variant(.structure([.bool(true), .double(1)]))])], 8, 3),
    ]

    @Test func whatFitsIsReadAndWhatIsOneTooManyIsNot() throws {
        for (map, values, bytes) in Self.maps {
            var budget = ValueBudget(values: values, bytes: bytes)
            var whole = try reader(map)
            #expect(try whole.readVariantMap(within: &budget) == map)
            #expect(budget.values == 0 && budget.bytes == 0, "\(map)")
            var small = [ValueBudget(values: values - 1, bytes: bytes)]
            if bytes > 0 { small.append(ValueBudget(values: values, bytes: bytes - 1)) }
            for var budget in small {
                let error = #expect(throws: DBusError.self) {
                    var reader = try reader(map)
                    _ = try reader.readVariantMap(within: &budget)
                }
                #expect(error?.standard == .limitsExceeded, "\(map)")
            }
        }
    }

    @Test func severalReadingsShareABudget() throws {
        var budget = ValueBudget(values: 4, bytes: 9)
        for _ in 0..<2 {
            var reader = try reader(["a": .string("x")])
            _ = try reader.readVariantMap(within: &budget)
        }
        #expect(budget.values == 0 && budget.bytes == 5)
        var third = try reader([:])
        #expect(throws: DBusError.self) { try third.readVariantMap(within: &budget) }
    }

    @Test func withoutABudgetEverythingIsRead() throws {
        let map: VariantMap = ["a": .bytes([UInt8](repeating: 7, count: 200_000))]
        var reader = try reader(map)
        #expect(try reader.readVariantMap() == map)
    }
}
