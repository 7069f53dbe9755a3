package import RoundelBus

/// What a change in a registered folder means for what is shown.
enum RepositoryChange: Equatable {
    /// Nothing that git answers from.
    case nothing
    /// The state of the whole repository at this root may have changed: its index, a branch, its patterns.
    case repository(ItemURI)
    /// What is in this directory may be ignored, or not, in another way than before.
    case patterns(ItemURI)
    /// This item changed.
    case item(ItemURI)
    /// Something that other work trees share.
    case everything

    private static let directory = ItemName.git
    /// Directories in a repository's own one whose contents do not decide about any state.
    private static let unread = ["objects", "logs", "hooks", "lfs", "rr-cache", "fsmonitor--daemon"]
    private static let patternFiles = [".gitignore", ".gitattributes", ".gitmodules"]

    /// - Parameter folder: The registered folder in which the item is.
    init(of item: ItemURI, in folder: ItemURI) {
        var inside: [ItemName] = []
        var place = item
        while place.isBelow(folder), let name = place.name, let parent = place.parent {
            if name == Self.directory {
                self = Self.meaning(of: inside.reversed().map(\.encoded), in: parent)
                return
            }
            inside.append(name)
            place = parent
        }
        if let name = item.name?.encoded, Self.patternFiles.contains(name), let parent = item.parent {
            self = .patterns(parent)
        } else {
            self = .item(item)
        }
    }

    /// - Parameter path: The names below the repository's own directory.
    private static func meaning(of path: [String], in root: ItemURI) -> RepositoryChange {
        // Those of submodules and of other work trees are inside it.
        let isNested = path.first == "modules" || path.first == "worktrees"
        let isUnread = isNested ? path.contains(where: unread.contains) : path.first.map(unread.contains) ?? false
        if isUnread || path.last?.hasSuffix(".lock") ?? false { return .nothing }
        return path.first == "worktrees" ? .everything : .repository(root)
    }
}

extension ItemName {
    /// The name of a repository's own directory, or of the file that leads to it.
    package static let git = ItemName(canonical: ".git")
}
