import Support
public import SystemPackage

/// The place of an item: an absolute path below `file://`, percent-encoded in the canonical form (see ``ItemName``),
/// without trailing or empty segments. Equality is equality of the path's bytes, the order is that of the decoded
/// bytes.
public struct ItemURI: Hashable, Sendable {
    /// The canonical encoding of the absolute path, ASCII; `/` for the root.
    public let path: String

    /// The decoded path is shorter than this, in bytes.
    public static let pathLimit = 4096

    /// Creates a URI from a path that is known to be canonical.
    package init(canonical: String) {
        path = canonical
    }

    /// The root of the file system.
    public static let root = ItemURI(canonical: "/")

    /// Parses a `file://` URI in any valid encoding.
    /// - Throws: The reason if the text is not valid.
    public init(_ text: String) throws(ItemURIError) {
        var text = text
        let result = text.withUTF8 { bytes in ItemURIParser.parse(bytes) }
        path = try result.get()
    }

    /// Parses a `file://` URI from a buffer, in one pass if it is already canonical.
    /// - Throws: The reason if the text is not valid.
    package init(validating bytes: UnsafeBufferPointer<UInt8>) throws(ItemURIError) {
        path = try ItemURIParser.parse(bytes).get()
    }

    /// The item at an absolute path of any bytes.
    /// - Throws: ``ItemURIError/notAbsolute``, ``ItemURIError/dotSegment`` or ``ItemURIError/tooLong``.
    public init(path: FilePath) throws(ItemURIError) {
        let bytes = path.withPlatformString { pointer in
            Array(UnsafeBufferPointer(start: pointer, count: path.length)).map { UInt8(bitPattern: $0) }
        }
        self.path = try ItemURIParser.canonicalPath(ofDecoded: bytes).get()
    }

    /// The path for the file system.
    public var filePath: FilePath {
        // Providers ask for the path of every item, and in most nothing is encoded.
        guard path.utf8.contains(UInt8(ascii: "%")) else { return FilePath(path) }
        var bytes = (PercentCoding.decode(path) ?? []).map { CInterop.PlatformChar(bitPattern: $0) }
        bytes.append(0)
        return bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath("/")
        }
    }

    /// The whole URI: `file://` and the path.
    public var uri: String { "file://" + path }

    /// Whether this is `/`.
    public var isRoot: Bool { path.utf8.count == 1 }

    /// The last segment; nil for the root.
    public var name: ItemName? {
        guard !isRoot, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return ItemName(canonical: String(path[path.utf8.index(after: slash)...]))
    }

    /// The directory that contains this item; nil for the root.
    public var parent: ItemURI? {
        guard !isRoot, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return slash == path.startIndex ? .root : ItemURI(canonical: String(path[..<slash]))
    }

    /// The item with this name in this directory.
    public func appending(_ name: ItemName) -> ItemURI {
        ItemURI(canonical: isRoot ? "/" + name.encoded : path + "/" + name.encoded)
    }

    /// Whether this item is below `directory`, compared by component, at any depth; false if both are the same.
    public func isBelow(_ directory: ItemURI) -> Bool {
        if directory.isRoot { return !isRoot }
        let prefix = directory.path.utf8
        let own = path.utf8
        guard own.count > prefix.count, own.starts(with: prefix) else { return false }
        return own[own.index(own.startIndex, offsetBy: prefix.count)] == UInt8(ascii: "/")
    }

    /// Whether this item is `directory` or below it, compared by component.
    public func isWithin(_ directory: ItemURI) -> Bool {
        self == directory || isBelow(directory)
    }

    /// This place with the leading `old` replaced by `new`; nil if it is not within `old`.
    package func replacing(_ old: ItemURI, with new: ItemURI) -> ItemURI? {
        if self == old { return new }
        guard isBelow(old) else { return nil }
        if old == new { return self }
        let rest = old.isRoot ? path[...] : path.dropFirst(old.path.utf8.count)
        return ItemURI(canonical: new.isRoot ? String(rest) : new.path + rest)
    }
}

extension ItemURI: Comparable {
    /// Orders by the decoded bytes of the whole path.
    public static func < (left: ItemURI, right: ItemURI) -> Bool {
        PathSegment.isOrderedBefore(left.path, right.path)
    }
}

extension ItemURI: CustomStringConvertible {
    /// The whole URI.
    public var description: String { uri }
}
