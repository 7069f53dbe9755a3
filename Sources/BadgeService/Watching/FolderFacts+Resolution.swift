internal import BadgeEngine
internal import FileWatch
internal import RoundelBus
internal import SystemPackage

extension PathResolution {
    /// Whether it is a directory; nil if unknown.
    var isDirectory: Bool? {
        switch kind {
        case .directory, .fileSystemRoot: true
        case .file, .symbolicLink: false
        case .missing, .notAnswering, .inaccessible: nil
        }
    }

    /// The facts of a folder for the engine.
    var facts: FolderFacts? {
        guard let folder = try? ItemURI(path: requested) else { return nil }
        return FolderFacts(folder: folder, kind: .init(kind), spellings: spellings)
    }

    /// The other spellings of the path: one for each resolved symbolic link among the ancestors in turn, finally with
    /// all of them resolved.
    private var spellings: [ItemURI] {
        var result: [ItemURI] = []
        var path = requested
        for alias in aliases where path.starts(with: alias.link) {
            var next = alias.target
            let tail = path.components.dropFirst(alias.link.components.count)
            next.append(tail)
            path = next
            if let uri = try? ItemURI(path: path) { result.append(uri) }
        }
        if path != resolved, let uri = try? ItemURI(path: resolved) { result.append(uri) }
        return result
    }
}

extension PlaceLink {
    /// A link that the watcher found; nil if it cannot be named in a URI.
    init?(_ alias: PathAlias) {
        guard let link = try? ItemURI(path: alias.link), let target = try? ItemURI(path: alias.target) else {
            return nil
        }
        self.init(link: link, target: target)
    }
}

extension FolderFacts.Kind {
    /// Converts the watcher's result to the kinds that the engine distinguishes. A folder that cannot be checked counts
    /// as missing: it is accepted, and shown once it responds.
    init(_ kind: RootKind) {
        switch kind {
        case .directory: self = .directory
        case .symbolicLink: self = .symlink
        case .file, .fileSystemRoot: self = .file
        case .missing, .notAnswering, .inaccessible: self = .missing
        }
    }
}
