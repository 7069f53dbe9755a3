/// What is to be done next with the directories of a folder on demand, decided by what is there: whatever was interrupted
/// is taken up again. Pure.
///
/// Contents are kept in the directory that was the folder before. It is moved as a whole, so that nothing in it changes,
/// and the move back replaces the empty directory at which the folder is mounted.
enum MountPlan {
    /// What is at the folder's place.
    enum Folder: Equatable, CaseIterable, Sendable {
        case missing
        /// A directory, with nothing mounted at it.
        case directory
        /// Something is mounted at it.
        case mounted
    }

    enum Deed: Equatable, Sendable {
        /// The folder's directory becomes the one that keeps the contents.
        case moveBehind
        /// An empty directory is made at which the folder can be mounted.
        case makeFolder
        /// The folder can be mounted, or is.
        case mount
        case unmount
        /// The directory with the contents takes the folder's place.
        case moveBack
        /// There is no directory with contents, and the folder is an ordinary one.
        case done
        /// The directory with the contents is missing.
        case contentsMissing
        /// There is nothing that could become a folder on demand.
        case folderMissing
    }

    /// - Parameters:
    ///   - step: The change that is not finished.
    ///   - hasContents: Whether there is a directory with the contents.
    static func next(_ step: OnDemandSettings.Step?, hasContents: Bool, _ folder: Folder) -> Deed {
        switch step {
        case .turningOff, .removing:
            if folder == .mounted { return .unmount }
            return hasContents ? .moveBack : .done
        case .turningOn where !hasContents:
            switch folder {
            case .directory: return .moveBehind
            case .missing: return .folderMissing
            // The directory that would be moved is hidden by what is mounted at it.
            case .mounted: return .contentsMissing
            }
        case .turningOn, nil:
            guard hasContents else { return .contentsMissing }
            return folder == .missing ? .makeFolder : .mount
        }
    }
}
