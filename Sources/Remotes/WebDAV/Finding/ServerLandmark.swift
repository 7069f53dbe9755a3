internal import Remotes
internal import SyncCore

/// What the address of a page of Nextcloud or ownCloud tells: where the server's own pages begin, and what the page shows.
struct ServerLandmark: Hashable, Sendable {
    /// What a page shows.
    enum Item: Hashable, Sendable {
        /// A directory of whoever is logged in.
        case path([EntryName])
        /// An item of whoever is logged in, by its number.
        case number(String)
        /// What somebody shares by a link, or a directory in it.
        case share(EntryName, path: [EntryName])
    }

    /// The names before the server's own ones.
    let base: [EntryName]
    let item: Item
    /// Whose files they are, if the address says so.
    let user: EntryName?

    /// Nil for an address that is of no such page.
    ///
    /// - Parameters:
    ///   - names: The path.
    ///   - query: The query of the page.
    init?(_ names: [EntryName], query: [String: String]) {
        let texts = names.map { String(validating: $0.bytes, as: UTF8.self) ?? "" }
        let marks = ["remote.php", "public.php", "index.php", "status.php", "apps", "s", "f", "login"]
        guard let start = texts.firstIndex(where: marks.contains) else { return nil }
        let isFront = texts[start] == "index.php"
        let page = Array(texts[start...].dropFirst(isFront ? 1 : 0))
        let rest = Array(names[start...].dropFirst(isFront ? 1 : 0))
        base = Array(names[..<start])
        var user: EntryName?
        switch page.first {
        case "remote.php":
            let isOfUser = page.dropFirst().starts(with: ["dav", "files"]) && page.count > 3
            user = isOfUser ? rest[3] : nil
            let isOwn = page.dropFirst().first == "webdav"
            item = .path(isOfUser ? Array(rest.dropFirst(4)) : isOwn ? Array(rest.dropFirst(2)) : [])
        case "public.php" where page.dropFirst().starts(with: ["dav", "files"]) && page.count > 3:
            item = .share(rest[3], path: Array(rest.dropFirst(4)))
        case "s" where page.count > 1: item = .share(rest[1], path: Self.names(query["path"] ?? query["dir"]))
        case "f" where page.count > 1 && Self.isNumber(page[1]): item = .number(page[1])
        case "apps" where page.dropFirst().first == "files":
            if let directory = query["dir"] {
                item = .path(Self.names(directory))
            } else if let number = query["fileid"] ?? page.dropFirst(2).first(where: Self.isNumber),
                Self.isNumber(number)
            {
                item = .number(number)
            } else {
                item = .path([])
            }
        // Single letters and plain words may be directories of any server.
        case "s", "f", "apps", "login":
            guard isFront || page.first == "apps" && page.count > 1 else { return nil }
            item = .path([])
        case nil, .some: item = .path([])
        }
        self.user = user
    }

    private static func isNumber(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func names(_ path: String?) -> [EntryName] {
        (path ?? "").split(separator: "/").compactMap { EntryName(String($0)) }
    }
}
