internal import Remotes

/// All choices of the user, in `$XDG_CONFIG_HOME/roundel/folders.json`.
struct WorkerSettings: Codable, Equatable {
    /// Four characters that distinguish this installation's conflict copies from others'.
    var tag: String
    /// In the order in which they were added.
    var folders: [FolderSettings] = []
    /// The bytes that transfers leave free on each file system; nil for the default.
    var keepFree: Int64?
    /// Folders that are no longer synced but still have kept versions, in the order in which they were removed; nil for
    /// none.
    var removed: [RemovedFolder]?
    /// The certificates that a person gave for servers, by their origins; nil for none.
    var servers: [String: ServerCertificates]?

    /// Settings of a new installation, with a tag of its own.
    init() {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        tag = String((0..<4).compactMap { _ in letters.randomElement() })
    }
}
