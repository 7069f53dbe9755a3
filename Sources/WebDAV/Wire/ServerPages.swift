internal import SyncCore

/// Where a server that shares Nextcloud's layout has what is no file.
enum ServerPages {
    /// What it can do, for whoever is logged in.
    static let capabilities = names(["ocs", "v2.php", "cloud", "capabilities"])
    /// Where a login in a browser begins.
    static let login = names(["index.php", "login", "v2"])

    /// Where shares are listed and made.
    static let shares = names(["ocs", "v1.php", "apps", "files_sharing", "api", "v1", "shares"])
    /// Where an item has its page, by its number.
    static let files = names(["index.php", "f"])

    /// Where the server has its pages: at its root, or below the names before those that it has for itself.
    static func base(of location: ServerLocation) -> [EntryName] {
        let own = Set(names(["remote.php", "index.php", "public.php"]))
        guard let end = location.names.firstIndex(where: own.contains) else { return [] }
        return Array(location.names[..<end])
    }

    /// An address that a server gives, as it is meant: one behind a proxy that does the encryption often takes itself for one
    /// without.
    static func upgraded(_ address: String, for location: ServerLocation) -> String {
        guard location.isEncrypted, address.hasPrefix("http://") else { return address }
        return "https://" + address.dropFirst("http://".count)
    }

    /// The address of a page that a server gives, wherever it is; nil for what a browser would not take for one.
    static func pageAddress(_ address: String, for location: ServerLocation) -> String? {
        let address = upgraded(address, for: location)
        guard address.utf8.count <= 2_048, address.hasPrefix("https://") || address.hasPrefix("http://"),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return address
    }

    private static func names(_ texts: [String]) -> [EntryName] { texts.compactMap { EntryName($0) } }
}
