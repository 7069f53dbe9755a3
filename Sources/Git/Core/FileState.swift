package import RoundelBus
internal import Support

/// What git says of an item, from what least needs a person's eye to what most does.
package enum FileState: Int, CaseIterable, Comparable, Sendable {
    /// Matched by a pattern of `.gitignore`.
    case ignored
    /// As in the last commit.
    case clean
    /// Not known to git.
    case untracked
    /// Changed since the last commit; the change is in the index.
    case staged
    /// Changed, and the change is not in the index.
    case modified
    /// Left by a merge with both versions in it.
    case conflicted

    /// Orders by how much it needs a person's eye.
    package static func < (left: FileState, right: FileState) -> Bool { left.rawValue < right.rawValue }

    /// The badge: a common one where one means the same.
    package var badge: Badge {
        switch self {
        case .ignored: .excluded
        case .clean: .synced
        case .untracked: Badge(Self.prefix + "untracked")
        case .staged: Badge(Self.prefix + "staged")
        case .modified: Badge(Self.prefix + "modified")
        case .conflicted: .conflict
        }
    }

    /// The state in words.
    package var label: String {
        switch self {
        case .ignored: tr("Ignored")
        case .clean: tr("Unchanged")
        case .untracked: tr("Not tracked")
        case .staged: tr("Staged")
        case .modified: tr("Modified")
        case .conflicted: tr("Conflict")
        }
    }

    /// The common badge for the state of a whole folder, which has no other ones.
    package var folderBadge: Badge {
        switch self {
        case .ignored, .clean: .synced
        case .untracked, .staged, .modified: .pending
        case .conflicted: .conflict
        }
    }

    private static let prefix = "\(GitNames.provider)."

    /// The badges that git alone has, with their drawings.
    package static var images: [BadgeImage] {
        [FileState.untracked, .staged, .modified].map { state in
            BadgeImage(
                badge: state.badge, label: state.label,
                icon: "emblem-roundel-" + state.badge.identifier.replacing(".", with: "-"))
        }
    }
}

/// What the engine is called on the bus.
package enum GitNames {
    /// The id of the provider, also the name of its manifest.
    package static let provider = "git"
    /// The bus name in the manifest.
    package static let bus = "org.roundel.Git1"
    /// The object of all its interfaces.
    package static let object = "/org/roundel/Git1"
}
