import SyncCore

/// Turns what rclone says of an item into a version.
struct RcloneVersions: Sendable {
    let traits: RcloneTraits

    /// What is asked of each item besides its name.
    var options: RcloneValue {
        var options: [String: RcloneValue] = ["noMimeType": true]
        if let hash = traits.hash {
            options["showHash"] = true
            options["hashTypes"] = [.text(hash)]
        }
        return .object(options)
    }

    /// Bytes of a file, at most: no file system holds more in one, and sums of them are to be numbers.
    private static let largest: Int64 = 1 << 53

    /// The kind and version of an item; nil for a file of which nobody knows how large it is.
    ///
    /// - Parameter now: Nanoseconds since 1970 by this computer's clock.
    /// - Throws: `malformed` for an answer that leaves out what is needed.
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

    /// Whether a further change could leave the same time.
    private func isRecent(_ modified: Int64, _ now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(modified)
        let grain = Int64(traits.grain / .nanoseconds(1))
        // A time in the future says nothing about when it was set.
        return !overflow && age < grain && age > -grain
    }

    /// How long until a change of what was written now, with this time, shows.
    func settling(modified: Int64, now: Int64) -> Duration {
        if traits.hash != nil { return .zero }
        return !traits.keepsModified || isRecent(modified, now) ? traits.grain : .zero
    }
}
