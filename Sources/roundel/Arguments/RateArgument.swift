/// A number of bytes per second in the user's notation: `500k`, `1.5M`, `2 MB/s`, or `0` for no limit.
struct RateArgument: Equatable, Sendable {
    /// Bytes per second.
    let bytes: UInt64

    /// Nil if the text is not such a number, or it is too large.
    init?(_ text: String) {
        guard let size = SizeArgument(text.lowercased().hasSuffix("/s") ? String(text.dropLast(2)) : text) else {
            return nil
        }
        bytes = size.bytes
    }
}
