import SyncCore

/// Collects a listing of a collection as it arrives. Any item that does not belong to it makes it fail: nothing may be
/// concluded from a listing that is truncated or of something else.
actor ServerListing {
    /// The result of a listing.
    struct Found {
        /// The collection itself.
        var own: Version
        /// Its tag, which changes with any change in it, at any depth; empty if the server has no such tags.
        var tag: Token
        /// Ordered by name.
        var entries: [ListedEntry]
        /// Whether there are certainly no others.
        var isComplete: Bool
    }

    /// The maximum number of entries of a collection; no real directory has more.
    private static let most = 1_000_000

    private let path: RelativePath
    private let location: ServerLocation
    private let versions: ServerVersions
    private let digests: ToldDigests
    private var own: Version?
    private var tag = Token.none
    private var entries: [EntryName: ListedEntry] = [:]
    private var isComplete = true

    init(of path: RelativePath, at location: ServerLocation, _ versions: ServerVersions, _ digests: ToldDigests) {
        self.digests = digests
        self.path = path
        self.location = location
        self.versions = versions
    }

    /// Adds items.
    /// - Throws: `malformed` for an item from elsewhere, or one that occurs twice.
    func add(_ items: [MultistatusResponse], now: Int64?, year: Int) throws(DAVFailure) {
        for item in items {
            guard let found = location.path(ofReference: item.reference) else { throw DAVFailure(.malformed) }
            if item.status != nil {
                // It exists but nothing is known of it, or it has just been removed.
                if found == path { throw DAVFailure(.malformed, status: item.status) }
                isComplete = false
                continue
            }
            // An item with an impossible length exists but cannot be synced.
            if let length = item.length, length > ServerVersions.largest, found != path {
                isComplete = false
                continue
            }
            let (kind, version) = try versions.entry(item, now: now, year: year)
            if found == path {
                guard own == nil, kind == .directory else { throw DAVFailure(.conditionFailed) }
                own = version
                tag = versions.directoryTag(of: item)
            } else {
                guard found.parent == path, let name = found.name else { throw DAVFailure(.malformed) }
                if path.isRoot && name == ServerArea.name { continue }
                var entry = ListedEntry(name: name, kind: kind, version: version, access: versions.access(item))
                if kind == .file { digests.note(versions.digest(of: item), of: found, tag: version.tag) }
                if kind == .directory { entry.version.tag = versions.directoryTag(of: item) }
                guard entries.updateValue(entry, forKey: name) == nil, entries.count <= Self.most else {
                    throw DAVFailure(.malformed)
                }
            }
        }
    }

    /// The result.
    /// - Throws: `malformed` if the collection itself was not listed.
    func result() throws(DAVFailure) -> Found {
        guard let own else { throw DAVFailure(.malformed) }
        let entries = entries.values.sorted { $0.name < $1.name }
        return Found(own: own, tag: tag, entries: entries, isComplete: isComplete)
    }
}
