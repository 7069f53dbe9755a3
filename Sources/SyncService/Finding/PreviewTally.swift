internal import RoundelBus
internal import SyncCore

/// Counts what adding a folder would do, directory by directory. Pure.
struct PreviewTally: Sendable {
    /// What is not synced.
    let excludes: ExcludePatterns
    /// Whether nothing of the remote is listed.
    let isUploadOnly: Bool
    private(set) var result = SyncPreview()

    init(_ excludes: ExcludePatterns, isUploadOnly: Bool = false) {
        (self.excludes, self.isUploadOnly) = (excludes, isUploadOnly)
    }

    /// A directory that is still to be counted, and the sides on which it is.
    struct Directory: Hashable, Sendable {
        var path: RelativePath
        var sides: Set<Side>
    }

    /// Counts the entries of a directory.
    /// - Returns: The directories in it.
    mutating func add(_ here: [ListedEntry], _ there: [ListedEntry], of directory: RelativePath) -> [Directory] {
        var directories: [Directory] = []
        let (local, remote) = (named(here, in: directory, .local), named(there, in: directory, .remote))
        for name in Set(local.keys).union(remote.keys) {
            let (mine, theirs) = (local[name], remote[name])
            let sides = Set(
                [(Side.local, mine), (Side.remote, theirs)].filter { $0.1?.kind == .directory }.map(\.0))
            if !sides.isEmpty { directories.append(Directory(path: directory.appending(name), sides: sides)) }
            count(mine, theirs)
        }
        return directories.sorted { $0.path.names.lexicographicallyPrecedes($1.path.names) }
    }

    /// The entries that would be synced. The others are counted.
    private mutating func named(
        _ entries: [ListedEntry], in directory: RelativePath, _ side: Side
    ) -> [EntryName: ListedEntry] {
        var synced: [EntryName: ListedEntry] = [:]
        for entry in entries {
            let isExcluded: Bool
            switch entry.kind {
            case .file, .directory:
                isExcluded = excludes.excludes(directory.appending(entry.name), kind: entry.kind)
            case .symlink, .special: isExcluded = true
            }
            if !isExcluded {
                synced[entry.name] = entry
            } else if ExcludePatterns.isOwn(RelativePath([entry.name])) {
                continue
            } else if side == .local {
                result.leftHere += 1
            } else {
                result.leftThere += 1
            }
        }
        return synced
    }

    private mutating func count(_ mine: ListedEntry?, _ theirs: ListedEntry?) {
        let (here, there) = (Self.size(mine), Self.size(theirs))
        if let here {
            result.filesHere += 1
            result.bytesHere = result.bytesHere &+ here
        }
        if let there {
            result.filesThere += 1
            result.bytesThere = result.bytesThere &+ there
        }
        if mine != nil, theirs != nil {
            if here == nil, there == nil { return }
            if here != nil, there != nil { result.same += 1 }
            if here == there { return }
            result.different += 1
        }
        // Of what differs, both sides get the other's version.
        if let here {
            result.uploads += 1
            result.uploadBytes = result.uploadBytes &+ here
        }
        if let there, !isUploadOnly {
            result.downloads += 1
            result.downloadBytes = result.downloadBytes &+ there
        }
    }

    /// The bytes of a file; nil for anything else.
    private static func size(_ entry: ListedEntry?) -> UInt64? {
        guard let entry, entry.kind == .file else { return nil }
        return UInt64(clamping: entry.version.size)
    }

    /// Adds what is not counted.
    mutating func note(free: Int64?, available: Int64?) {
        result.free = free.map { UInt64(clamping: $0) }
        result.available = available.map { UInt64(clamping: $0) }
    }
}
