package import Support

extension ItemURI {
    /// The path for display; bytes that are not UTF-8 appear as `\xNN`.
    package var displayPath: String { DisplayText.decoding(PercentCoding.decode(path) ?? []) }

    /// The path of a URI for display; the text itself if it is not a URI.
    package static func displayPath(of uri: String) -> String { (try? ItemURI(uri))?.displayPath ?? uri }

    /// The last segment of the path for display; `/` for the root.
    package var displayName: String { name.map { DisplayText.decoding($0.bytes) } ?? "/" }
}

extension JSON {
    /// The members that describe an item in every object: its URI and its path.
    package static func item(_ uri: String) -> [Member] {
        [.init("uri", .string(uri)), .init("path", .string(ItemURI.displayPath(of: uri)))]
    }
}
