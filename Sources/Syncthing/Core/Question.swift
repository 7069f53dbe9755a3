internal import RoundelBus

/// Something of a folder that Syncthing is asked.
enum Question: Hashable, Sendable {
    case counts, failures, needed, ignores
    case completion(PeerID)
    /// What a device lacks.
    case unsent(PeerID)
    case record(ItemURI)
    /// What all devices should have in a directory.
    case listing(ItemURI)
    /// The whole tree below the folder, for its conflicts.
    case tree
}

/// An answer of Syncthing, by the question.
enum Answer: Sendable {
    case counts(FolderCounts)
    case failures([FailedItem])
    case items(NeededItems)
    case completion(Completion)
    case ignores([String])
    case record(IndexRecord)
    case listing([String: IndexRecord.Version])
    case tree([String])
    /// There is no such item, or nothing of this kind.
    case none
    /// Syncthing did not answer, or in a form that is not understood.
    case failed
}
