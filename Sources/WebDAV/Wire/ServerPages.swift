internal import SyncCore

/// Where a server that shares Nextcloud's layout has what is no file.
enum ServerPages {
    /// What it can do, for whoever is logged in.
    static let capabilities = names(["ocs", "v2.php", "cloud", "capabilities"])
    /// Where a login in a browser begins.
    static let login = names(["index.php", "login", "v2"])

    /// Where the server has its pages: at its root, or below the names before those that it has for itself.
    static func base(of location: ServerLocation) -> [EntryName] {
        let own = Set(names(["remote.php", "index.php", "public.php"]))
        guard let end = location.names.firstIndex(where: own.contains) else { return [] }
        return Array(location.names[..<end])
    }

    private static func names(_ texts: [String]) -> [EntryName] { texts.compactMap { EntryName($0) } }
}
