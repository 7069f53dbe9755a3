import SyncCore
import Synchronization
import SystemPackage

/// The user's folder: what is removed in it goes to the desktop's trash, and what a person sees there stays in place.
final class LocalFolder: LocalEndpoint, DiskSide, KeepsPartialTransfers {
    let disk: DiskTree
    private let removal: LocalRemoval
    private let displacement: ItemDisplacement
    private let decisions: ConflictDecisions
    /// The files whose contents come and go; nil if it is not on demand.
    let mounted: MountedFiles?
    /// How often the mounted folder was connected to when it was last looked at.
    private let connections = Mutex<UInt64>(0)
    private let opened: OpenedDirectories

    /// The folder at `path`, as ``DiskEndpoints`` describes it. Nothing is opened yet.
    init(
        at path: FilePath, stateDirectory: FilePath, dataHome: FilePath, owner: EntryName,
        leaving floor: FreeSpaceFloor = FreeSpaceFloor(), transfers: TransferLedger? = nil,
        contents: MountedContents? = nil,
        checkingWriters check: @escaping @Sendable (Descriptor, DiskKind) -> WriterCheck.Answer = WriterCheck.check
    ) {
        let root = DiskRoot(
            at: path, side: .local, owner: owner, stateDirectory: stateDirectory, dataHome: dataHome,
            transfers: transfers, contents: contents)
        disk = DiskTree(below: root, leaving: floor, transfers: transfers, checkingWriters: check)
        removal = LocalRemoval(disk: disk)
        displacement = ItemDisplacement(disk: disk)
        decisions = ConflictDecisions(disk: disk, removal: removal)
        opened = OpenedDirectories(in: root)
        mounted = contents.map { [disk] in MountedFiles(disk: disk, contents: $0) }
    }

    /// What is at the path now. A mounted folder is connected to before that; nothing else is looked at.
    func root() -> RootState {
        guard let contents = disk.root.contents else { return disk.root.look() }
        do throws(Errno) {
            let connection = try contents.connect()
            let former = connections.withLock { connections in
                defer { connections = connection }
                return connections
            }
            // What is open still belongs to the former mount, and fails.
            if former != connection { disk.rest() }
        } catch {
            return .unreachable(disk.root.notMounted)
        }
        return disk.root.look()
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
