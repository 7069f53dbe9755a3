/// The id of a provider: `[a-z][a-z0-9-]{0,31}`.
public struct ProviderID: Hashable, Sendable {
    /// The ID on the bus.
    public let rawValue: String

    /// Nil if the text is not a valid ID.
    public init?(_ text: String) {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            text.utf8.count <= 32,
            text.utf8.allSatisfy({ byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            })
        else { return nil }
        rawValue = text
    }
}

extension ProviderID: Comparable {
    /// Orders by the bytes of the id.
    public static func < (left: ProviderID, right: ProviderID) -> Bool { left.rawValue < right.rawValue }
}

extension ProviderID: CustomStringConvertible {
    /// The id.
    public var description: String { rawValue }
}
