package import Support
internal import SystemPackage

extension ItemURI {
    /// The path for display; bytes that are not UTF-8 appear as `\xNN`.
    package var displayPath: String { DisplayText.decoding(PercentCoding.decode(path) ?? []) }

    /// The path of a URI for display; the text itself if it is not a URI.
    package static func displayPath(of uri: String) -> String { (try? ItemURI(uri))?.displayPath ?? uri }

    /// The path relative to a folder if the item is in it, otherwise the whole path, for display.
    package func displayPath(below folder: ItemURI) -> String {
        guard isBelow(folder) else { return displayPath }
        let prefix = folder.isRoot ? 1 : folder.filePath.length + 1
        return DisplayText.decoding((PercentCoding.decode(path) ?? []).dropFirst(prefix))
    }

    /// The path for a sentence; a path in the user's home directory begins with `~`.
    package var sentencePath: String {
        guard let home = BaseDirectories().home, let folder = try? ItemURI(path: home), !folder.isRoot else {
            return displayPath
        }
        return self == folder ? "~" : isBelow(folder) ? "~/" + displayPath(below: folder) : displayPath
    }

    /// The last segment of the path for display; `/` for the root.
    package var displayName: String { name.map { DisplayText.decoding($0.bytes) } ?? "/" }
}

extension JSON {
    /// The members that describe an item in every object: its URI and its path.
    package static func item(_ uri: String) -> [Member] {
        [.init("uri", .string(uri)), .init("path", .string(ItemURI.displayPath(of: uri)))]
    }
}
