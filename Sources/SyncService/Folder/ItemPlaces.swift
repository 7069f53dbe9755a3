internal import RoundelBus
internal import SyncCore

extension RelativePath {
    /// The path of an item below a folder; nil if it is not within it.
    init?(_ item: ItemURI, below folder: ItemURI) {
        guard item.isWithin(folder) else { return nil }
        let rest = item.path.utf8.dropFirst(folder.isRoot ? 0 : folder.path.utf8.count)
        var names: [EntryName] = []
        for segment in rest.split(separator: UInt8(ascii: "/")) {
            guard let name = try? ItemName(String(Substring(segment))), let entry = name.entryName else { return nil }
            names.append(entry)
        }
        self.init(names)
    }

    /// The item's URI; nil if the path is too long for one.
    func uri(below folder: ItemURI) -> ItemURI? {
        var uri = folder
        for name in names {
            guard let segment = try? ItemName(bytes: name.bytes) else { return nil }
            uri = uri.appending(segment)
        }
        let escapes = uri.path.utf8.count { $0 == UInt8(ascii: "%") }
        return uri.path.utf8.count - 2 * escapes < ItemURI.pathLimit ? uri : nil
    }
}

extension ItemName {
    /// The name as the trees hold it.
    var entryName: EntryName? { EntryName(bytes) }
}
