/// A word of an interface that stands for one of some known values. A later version may have further ones, which are kept
/// as they came.
public struct WireWord<Known>: Hashable, Sendable
where Known: RawRepresentable & CaseIterable & Sendable, Known.RawValue == String {
    /// The word as it goes over the bus.
    public let text: String

    /// Takes any word.
    public init(text: String) { self.text = text }

    /// The word for a value.
    public init(_ value: Known) { text = value.rawValue }

    /// What it stands for; nil for a word that this version does not know.
    public var known: Known? { Known(rawValue: text) }
}

extension WireWord: ExpressibleByStringLiteral {
    /// Takes any word.
    public init(stringLiteral text: String) { self.init(text: text) }
}
