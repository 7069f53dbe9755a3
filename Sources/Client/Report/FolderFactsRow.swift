internal import DBus
package import RoundelBus

/// What a report says of one synced folder: never its name, its place or its remote.
package struct FolderFactsRow: Sendable, Equatable {
    /// What kind of remote it has, in our own word.
    package var remote: String
    /// The kind of file system that it is on.
    package var fileSystem: String
    package var state: Badge
    package var isOnDemand = false
    package var hasUploadLimit = false
    package var hasDownloadLimit = false
    /// Hours with limits of their own.
    package var periods = 0
    package var counts: [Badge: UInt64] = [:]
    /// What keeps it from syncing, in the word of the bus.
    package var need: FolderNeed?
    /// A sentence of its engine about the worst error.
    package var message: String?

    /// A folder with what every one has.
    package init(remote: String, fileSystem: String, state: Badge) {
        (self.remote, self.fileSystem, self.state) = (remote, fileSystem, state)
    }

    func line(_ redaction: Redaction) -> String {
        var parts = [remote, "on \(fileSystem)", CommonBadge(state)?.rawValue ?? "unknown"]
        if isOnDemand { parts.append("on demand") }
        if hasUploadLimit { parts.append("upload limit") }
        if hasDownloadLimit { parts.append("download limit") }
        if periods > 0 { parts.append("hours with limits: \(periods)") }
        // Badges of other engines have words of their own.
        let known = counts.compactMap { badge, count in CommonBadge(badge).map { ($0.rawValue, count) } }
        parts += known.sorted { $0.0 < $1.0 }.map { "\($0.0): \($0.1)" }
        if let need { parts.append("needs: \(need.rawValue)") }
        let said = message.map { "\n  \(redaction.redacted($0))" } ?? ""
        return "- " + parts.joined(separator: ", ") + said
    }
}

extension FolderFactsRow {
    /// The kind of a remote, by the address as the person gave it.
    /// - Parameter rclone: The kind of rclone's remote with a name.
    package static func kind(ofRemote text: String, rclone: (String) -> String?) -> String {
        let remote = text.lowercased()
        if remote.hasPrefix("/") || remote.hasPrefix("file:") || remote.hasPrefix("~") { return "directory" }
        if remote.hasPrefix("rclone:") {
            let name = text.dropFirst("rclone:".count).prefix { $0 != ":" }
            // Backends are words of rclone; the name of the remote is the person's.
            let backend = rclone(String(name)).flatMap { kind in
                kind.count <= 20 && kind.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
                    ? kind : nil
            }
            return "rclone " + (backend ?? "(backend unknown)")
        }
        if remote.contains("/remote.php/") { return "Nextcloud or ownCloud" }
        return remote.hasPrefix("webdav") || remote.hasPrefix("http") ? "WebDAV" : "other"
    }
}
