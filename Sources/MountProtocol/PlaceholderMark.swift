/// The value of the attribute that makes a file one without contents.
///
/// A placeholder that is described anew gets another size. Both sizes are in its mark for that time: whatever is
/// interrupted, and wherever, the file has one of them and stays a placeholder.
package struct PlaceholderMark: Hashable, Sendable {
    /// What the file stands for.
    package let contents: Placeholder
    /// The size that the file may have still, while it is being described anew; nil otherwise.
    package let formerSize: UInt64?

    /// The largest value of the attribute, in bytes.
    package static let limit = Placeholder.versionLimit + 17

    /// How the first byte names what follows.
    private enum Format: UInt8 {
        /// The size and the version.
        case settled = 1
        /// The size, the former size and the version.
        case changing = 2
    }

    package init(_ contents: Placeholder, formerSize: UInt64? = nil) {
        (self.contents, self.formerSize) = (contents, formerSize)
    }

    /// Nil for a value that this program does not write.
    package init?(_ bytes: [UInt8]) {
        guard let format = bytes.first.flatMap(Format.init) else { return nil }
        let sizes = format == .settled ? 1 : 2
        guard bytes.count >= 1 + 8 * sizes else { return nil }
        func size(_ place: Int) -> UInt64 {
            bytes[1 + 8 * place..<9 + 8 * place].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard let contents = Placeholder(size: size(0), version: Array(bytes[(1 + 8 * sizes)...])) else { return nil }
        self.init(contents, formerSize: format == .changing ? size(1) : nil)
    }

    package var bytes: [UInt8] {
        let format = formerSize == nil ? Format.settled : .changing
        let sizes = [contents.size] + [formerSize].compactMap(\.self)
        return [format.rawValue]
            + sizes.flatMap { size in (0..<8).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) } } + contents.version
    }

    /// What a file of this size stands for; nil if it was emptied since, so that what it holds is all there is.
    package func placeholder(ofSize size: UInt64) -> Placeholder? {
        size == contents.size || size == formerSize ? contents : nil
    }
}
