internal import SyncCore

/// Where a collection lies among the files of an account, on a server that shares Nextcloud's layout. Its interfaces beside
/// WebDAV name files that way.
struct AccountFiles: Sendable {
    private let names: [EntryName]

    /// The place of a collection; nil on a server of another layout.
    init?(of location: ServerLocation) {
        let texts = location.names.map { String(validating: $0.bytes, as: UTF8.self) }
        guard let start = texts.firstIndex(of: "remote.php") else { return nil }
        let below = texts[(start + 1)...]
        let length: Int
        if below.starts(with: ["dav", "files"]), below.count > 2 {
            length = 3
        } else if below.first == "webdav" {
            length = 1
        } else {
            return nil
        }
        names = Array(location.names.dropFirst(start + 1 + length))
    }

    /// The path of an item of the collection from the account's first directory on, with a slash before each name; nil for
    /// one with a name that is no text.
    func path(of item: RelativePath) -> String? {
        var path = ""
        for name in names + item.names {
            guard let text = String(validating: name.bytes, as: UTF8.self) else { return nil }
            path += "/" + text
        }
        return path.isEmpty ? "/" : path
    }
}
