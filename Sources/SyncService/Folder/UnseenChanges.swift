internal import SyncCore

/// Paths of the folder that were reported as changed while nothing could be looked at because a side is away. What is
/// there now is on this computer alone, whatever is known of the item.
struct UnseenChanges {
    /// Each path, and the directories that hold it.
    private var paths: Set<RelativePath> = []
    /// Whether there were too many to tell them apart: then any item may have changed.
    private(set) var isAnything = false

    /// The most paths that are told apart.
    private static let limit = 20_000

    /// Notes paths; returns those that were not noted before, and directories that hold them.
    mutating func note(_ reported: [RelativePath]) -> [RelativePath] {
        guard !isAnything else { return [] }
        var new: [RelativePath] = []
        for path in reported {
            var path = path
            while !path.isRoot, paths.insert(path).inserted {
                new.append(path)
                path = path.parent
            }
        }
        if paths.count > Self.limit { isAnything = true }
        return new
    }

    /// Forgets everything, because it was looked at; returns what was noted.
    mutating func takeAll() -> [RelativePath] {
        let all = Array(paths)
        self = UnseenChanges()
        return all
    }

    /// Whether an item, or something in it, may have changed.
    func contains(_ path: RelativePath) -> Bool { isAnything || paths.contains(path) }

    /// Whether nothing changed.
    var isEmpty: Bool { paths.isEmpty }
}
