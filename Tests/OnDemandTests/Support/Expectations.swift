import Testing

/// The same as `#expect` of an equality, whose operands must not change anything.
func expectEqual<Value: Equatable>(_ value: Value, _ expected: Value, at place: SourceLocation = #_sourceLocation) {
    #expect(value == expected, sourceLocation: place)
}
