internal import SyncCore

/// Places other than files on a server with Nextcloud's layout.
enum ServerPages {
    /// The server's capabilities for the logged-in user.
    static let capabilities = names(["ocs", "v2.php", "cloud", "capabilities"])
    /// The start of a login in a browser.
    static let login = names(["index.php", "login", "v2"])

    /// The password of this computer, to be taken back.
    static let appPassword = names(["ocs", "v2.php", "core", "apppassword"])
    /// Where shares are listed and created.
    static let shares = names(["ocs", "v1.php", "apps", "files_sharing", "api", "v1", "shares"])
    /// Where people and groups are searched with whom items can be shared.
    static let recipients = names(["ocs", "v1.php", "apps", "files_sharing", "api", "v1", "sharees"])
    /// The locks of files, by number.
    static let locks = names(["ocs", "v2.php", "apps", "files_lock", "lock"])
    /// The pages of items, by number.
    static let files = names(["index.php", "f"])

    /// The versions of a file of an account.
    static func versions(of number: EntryName, user: EntryName) -> [EntryName] {
        names(["remote.php", "dav", "versions"]) + [user] + names(["versions"]) + [number]
    }

    /// The base of the server's pages: its root, or the names before its own entry points.
    static func base(of location: ServerLocation) -> [EntryName] {
        let own = Set(names(["remote.php", "index.php", "public.php"]))
        guard let end = location.names.firstIndex(where: own.contains) else { return [] }
        return Array(location.names[..<end])
    }

    /// Corrects an address from a server: behind a proxy that handles encryption, servers often report unencrypted
    /// addresses.
    static func upgraded(_ address: String, for location: ServerLocation) -> String {
        guard location.isEncrypted, address.hasPrefix("http://") else { return address }
        return "https://" + address.dropFirst("http://".count)
    }

    /// The address of a page from a server, on any host; nil if a browser would not accept it.
    static func pageAddress(_ address: String, for location: ServerLocation) -> String? {
        let address = upgraded(address, for: location)
        guard address.utf8.count <= 2_048, address.hasPrefix("https://") || address.hasPrefix("http://"),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return address
    }

    private static func names(_ texts: [String]) -> [EntryName] { texts.compactMap { EntryName($0) } }
}
