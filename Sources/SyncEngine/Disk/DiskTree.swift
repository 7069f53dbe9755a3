import SyncCore
import SystemPackage

/// A directory tree on a disk or mounted share, and what can be done in it. Each part keeps its own state.
struct DiskTree: Sendable {
    let root: DiskRoot
    let reader: DiskReader
    let writers: WriterGuard
    let staging: FileStaging
    let permissions: FilePermissions
    let placement: ItemPlacement
    let replacement: FileReplacement
    let keeper: VersionKeeper
    let barrier: RenameBarrier

    /// A tree below `root`, of which nothing is opened yet.
    ///
    /// - Parameters:
    ///   - floor: How much free space transfers must leave.
    ///   - transfers: Where large transfers to it are noted; nil if transfers cannot be resumed after a restart.
    ///   - check: Checks whether a file is being written.
    init(
        below root: DiskRoot, leaving floor: FreeSpaceFloor, transfers: TransferLedger? = nil,
        checkingWriters check: @escaping @Sendable (Descriptor, DiskKind) -> WriterCheck.Answer
    ) {
        self.root = root
        barrier = RenameBarrier(in: root)
        writers = WriterGuard(root: root, check: check)
        reader = DiskReader(in: root, writers)
        keeper = VersionKeeper(root: root, barrier: barrier)
        permissions = FilePermissions(root: root)
        let space = FreeSpace(in: root, leaving: floor, keeper)
        let partials = transfers.map { PartialTransfers(root: root, space: space, ledger: $0) }
        staging = FileStaging(in: root, writers, space, partials)
        replacement = FileReplacement(
            root: root, barrier: barrier, keeper: keeper, writers: writers, permissions: permissions, staging: staging)
        placement = ItemPlacement(
            root: root, barrier: barrier, keeper: keeper, permissions: permissions, replacement: replacement,
            staging: staging)
    }

    /// The item that is about to be removed, if it is the expected one.
    func removable(
        _ path: RelativePath, _ kind: EntryKind, expecting expected: Version
    ) throws(EffectFailure) -> FoundItem {
        let item = try root.find(path, kind, expecting: expected)
        // A program that goes on writing would do so unseen, in a file that was put away.
        if kind == .file { try writers.refuseWhileWritten(path, item.name, in: item.parent) }
        try barrier.noteChange(in: item.parent, at: path)
        return item
    }

    /// Releases what is only needed while there is something to do.
    func rest() {
        reader.rest()
        root.close()
        barrier.rest()
    }
}
