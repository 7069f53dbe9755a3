/// A word of an interface that identifies one of some known values. Words of later versions, which are not known, are
/// kept unchanged.
public struct WireWord<Known>: Hashable, Sendable
where Known: RawRepresentable & CaseIterable & Sendable, Known.RawValue == String {
    /// The word on the bus.
    public let text: String

    /// Creates any word.
    public init(text: String) { self.text = text }

    /// The word for a value.
    public init(_ value: Known) { text = value.rawValue }

    /// The value; nil for a word that this version does not know.
    public var known: Known? { Known(rawValue: text) }
}

extension WireWord: ExpressibleByStringLiteral {
    /// Creates any word.
    public init(stringLiteral text: String) { self.init(text: text) }
}
