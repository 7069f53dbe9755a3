internal import RoundelBus
internal import Secrets
internal import Support

/// What a folder syncs with, in words: a directory by its path, a server by its name and the path that people see there.
enum RemotePlace {
    /// The words for the address of a remote; the address as it is if it is of no known form.
    static func words(_ remote: String) -> String {
        if let directory = try? ItemURI(remote) { return directory.sentencePath }
        if remote.hasPrefix("rclone:") { return ofService(remote.dropFirst("rclone:".count)) }
        guard let account = try? RemoteAccount(remote: remote) else { return remote }
        let address = afterScheme(remote)
        return on(String(afterScheme(account.server)), path(ofAddress: address.drop { $0 != "/" }))
    }

    private static func afterScheme(_ address: String) -> Substring {
        address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
    }

    /// A remote of rclone: its name, a colon, and a path.
    private static func ofService(_ remote: Substring) -> String {
        guard let colon = remote.firstIndex(of: ":") else { return String(remote) }
        return on(String(remote[..<colon]), String(remote[remote.index(after: colon)...]))
    }

    /// The path that people see on a server. Nextcloud and ownCloud have files below a path of their own.
    private static func path(ofAddress path: Substring) -> String {
        let parts = path.split(separator: "/")
        let root =
            if let php = parts.firstIndex(of: "remote.php"), parts.dropFirst(php + 1).starts(with: ["dav", "files"]) {
                php + 4
            } else if let php = parts.firstIndex(of: "remote.php"), parts.dropFirst(php + 1).first == "webdav" {
                php + 2
            } else {
                0
            }
        let shown = parts.dropFirst(root).joined(separator: "/")
        return (try? ItemURI("file:///\(shown)")).map { String($0.displayPath.drop { $0 == "/" }) } ?? shown
    }

    private static func on(_ service: String, _ path: String) -> String {
        let path = path.drop { $0 == "/" }
        // Translators: {1} is a path on a server, {2} is the server.
        return path.isEmpty ? service : tr("{1} on {2}", String(path), service)
    }
}
