import SyncCore
import SystemPackage

/// The user's folder: what is removed in it goes to the desktop's trash, and what a person sees there stays in place.
final class LocalFolder: LocalEndpoint, DiskSide, KeepsPartialTransfers {
    let disk: DiskTree
    private let removal: LocalRemoval
    private let displacement: ItemDisplacement
    private let decisions: ConflictDecisions
    private let opened: OpenedDirectories

    /// The folder at `path`, as ``DiskEndpoints`` describes it. Nothing is opened yet.
    init(
        at path: FilePath, stateDirectory: FilePath, dataHome: FilePath, owner: EntryName,
        leaving floor: FreeSpaceFloor = FreeSpaceFloor(), transfers: TransferLedger? = nil,
        checkingWriters check: @escaping @Sendable (Descriptor, DiskKind) -> WriterCheck.Answer = WriterCheck.check
    ) {
        let root = DiskRoot(
            at: path, side: .local, owner: owner, stateDirectory: stateDirectory, dataHome: dataHome,
            transfers: transfers)
        disk = DiskTree(below: root, leaving: floor, transfers: transfers, checkingWriters: check)
        removal = LocalRemoval(disk: disk)
        displacement = ItemDisplacement(disk: disk)
        decisions = ConflictDecisions(disk: disk, removal: removal)
        opened = OpenedDirectories(in: root)
    }

    func remove(_ path: RelativePath, kind: EntryKind, expecting expected: Version) throws(EffectFailure) {
        try removal.remove(path, kind, expecting: expected)
    }

    func discard(_ item: LocalItem) throws(EffectFailure) { try removal.discard(item) }

    func displace(
        _ item: LocalItem, aside: EntryName, by newcomer: Newcomer, permissions: Permissions?
    ) throws(EffectFailure) -> (here: Placed, aside: Version) {
        try displacement.displace(item, aside: aside, by: newcomer, permissions: permissions)
    }

    func replace(_ replaced: LocalItem, with item: LocalItem) throws(EffectFailure) -> Version {
        try decisions.replace(replaced, with: item)
    }

    func opening<Answer>(
        _ directories: [RelativePath], _ body: () async throws(EffectFailure) -> Answer
    ) async throws(EffectFailure) -> Answer {
        let open = opened.open(directories)
        defer { opened.close(open) }
        return try await body()
    }

    func removePartial(_ record: TransferRecord) -> Bool { PartialTransfers.remove(record, in: disk.root) }
}
