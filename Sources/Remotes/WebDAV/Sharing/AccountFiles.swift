internal import SyncCore

/// The place of a collection among the files of an account, on a server with Nextcloud's layout. Its interfaces other
/// than WebDAV identify files that way.
package struct AccountFiles: Sendable {
    /// The names before the server's own entry point.
    private let base: [EntryName]
    /// The user in the address; nil for the address that means whoever is logged in.
    private let user: EntryName?
    private let names: [EntryName]

    /// The place of a collection; nil on a server with another layout.
    package init?(of location: ServerLocation) {
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
        base = Array(location.names[..<start])
        user = length == 3 ? location.names[start + 3] : nil
        names = Array(location.names.dropFirst(start + 1 + length))
    }

    /// The user in the address; nil for the address that means whoever is logged in.
    var userName: String? { user.flatMap { String(validating: $0.bytes, as: UTF8.self) } }

    /// Whether one of the two places contains or equals the other: the files of an account have two addresses.
    package func overlaps(_ other: AccountFiles) -> Bool {
        guard base == other.base else { return false }
        if let user, let second = other.user, user != second { return false }
        return names.starts(with: other.names) || other.names.starts(with: names)
    }

    /// The path of an item of the collection, from the account's top directory on, with a slash before each name; nil
    /// if a name is not valid UTF-8.
    func path(of item: RelativePath) -> String? {
        var path = ""
        for name in names + item.names {
            guard let text = String(validating: name.bytes, as: UTF8.self) else { return nil }
            path += "/" + text
        }
        return path.isEmpty ? "/" : path
    }
}
