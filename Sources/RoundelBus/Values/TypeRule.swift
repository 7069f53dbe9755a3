/// A type of data that selected items may have, or a group of types, and how many items of it a menu is for.
///
/// As text it is the type, `image/png`, `image/*` or `*/*`, and after a colon the number of items: `:2`, at least
/// `:2-`, or from one to another, `:1-10`. Without a number there may be any, none among them.
public struct TypeRule: Hashable, Sendable {
    /// The types, in lower case: `image/png`, `image/*` or `*/*`.
    public let types: String
    /// The least number of selected items of these types.
    public let min: UInt32
    /// The greatest number; nil if there is none.
    public let max: UInt32?

    /// Parses a rule.
    /// - Returns: Nil if the text is none.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let types = parts.first.flatMap(Self.pattern) else { return nil }
        self.types = types
        guard parts.count == 2 else {
            (min, max) = (0, nil)
            return
        }
        let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let least = ends.first.flatMap(Self.number) else { return nil }
        min = least
        if ends.count == 1 {
            max = least
        } else if ends[1].isEmpty {
            max = nil
        } else {
            guard let most = Self.number(ends[1]), most >= least else { return nil }
            max = most
        }
    }

    /// The rule as text.
    public var text: String {
        switch (min, max) {
        case (0, nil): types
        case (_, nil): "\(types):\(min)-"
        case (_, let max?): min == max ? "\(types):\(min)" : "\(types):\(min)-\(max)"
        }
    }

    /// Whether the rule counts an item of a type.
    package func covers(_ type: DataType) -> Bool {
        guard types.utf8.last == UInt8(ascii: "*") else { return type.name == types }
        return types.utf8.first == UInt8(ascii: "*") || type.name.utf8.starts(with: types.utf8.dropLast())
    }

    /// The types in lower case; nil if it is neither a type nor a group of types.
    private static func pattern(_ text: Substring) -> String? {
        if text == "*/*" { return "*/*" }
        guard text.utf8.suffix(2).elementsEqual("/*".utf8) else { return DataType(String(text))?.name }
        // A group has the name of its first part, which is checked as any type of the group is.
        return DataType(String(text.dropLast()) + "x").map { String($0.name.dropLast()) + "*" }
    }

    /// A number in plain digits.
    private static func number(_ text: Substring) -> UInt32? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? UInt32(text) : nil
    }
}
