import SyncCore

/// Converts what rclone reports about an item to a version.
struct RcloneVersions: Sendable {
    let traits: RcloneTraits

    /// The options that determine what rclone reports about each item.
    var options: RcloneValue {
        var options: [String: RcloneValue] = ["noMimeType": true]
        if let hash = traits.hash {
            options["showHash"] = true
            options["hashTypes"] = [.text(hash)]
        }
        return .object(options)
    }

    /// The most bytes of a file. No file system stores more in one, and sums of sizes must stay numbers.
    private static let largest: Int64 = 1 << 53

    /// The kind and version of an item; nil for a file of unknown or impossible size.
    ///
    /// - Parameter now: Nanoseconds since 1970 by this computer's clock.
    /// - Throws: `malformed` for a response that lacks required values.
    func entry(_ item: RcloneItem, now: Int64) throws(RcloneFailure) -> (EntryKind, Version)? {
        if item.isDirectory { return (.directory, Version(identity: .none, tag: .none, size: 0)) }
        guard (0...Self.largest).contains(item.size) else { return nil }
        let modified = item.modified.flatMap(RemoteTime.nanoseconds)
        let hash = traits.hash.flatMap { item.hashes?[$0] } ?? ""
        guard !hash.isEmpty || modified != nil else { throw RcloneFailure(.malformed) }
        let tag = hash.isEmpty ? "t\(modified ?? 0)-\(item.size)-\(item.id ?? "")" : "h\(hash)"
        return (
            .file,
            Version(
                identity: .none, tag: Token(Array(tag.utf8)), size: item.size, modified: modified ?? 0,
                isRacy: hash.isEmpty && isRecent(modified ?? 0, now))
        )
    }

    /// Whether another change could get the same time.
    private func isRecent(_ modified: Int64, _ now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(modified)
        let grain = Int64(traits.grain / .nanoseconds(1))
        // A time in the future says nothing about when it was set.
        return !overflow && age < grain && age > -grain
    }

    /// How long until a change of what was just written, with this time, would be visible.
    func settling(modified: Int64, now: Int64) -> Duration {
        if traits.hash != nil { return .zero }
        return !traits.keepsModified || isRecent(modified, now) ? traits.grain : .zero
    }
}
