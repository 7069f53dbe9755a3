import Glibc
import SyncCore
import SystemPackage

/// A folder or mounted share as the remote: needs only the file system.
///
/// Several installations may use one directory: each stages in its own directory, and replaces only a version that it
/// has seen, which it checks again after the exchange. What is replaced or removed is kept there.
final class DirectoryRemote: Remote, DiskSide {
    let disk: DiskTree

    /// A remote at `path`. Nothing is opened yet.
    ///
    /// - Parameter owner: The folder's identifier; staged files of other folders are left alone.
    init(
        at path: FilePath, owner: EntryName, leaving floor: FreeSpaceFloor = FreeSpaceFloor(),
        checkingWriters check: @escaping @Sendable (Descriptor, DiskKind) -> WriterCheck.Answer = WriterCheck.check
    ) {
        let root = DiskRoot(
            at: path, side: .remote, owner: owner, stateDirectory: nil, dataHome: nil, transfers: nil)
        disk = DiskTree(below: root, leaving: floor, checkingWriters: check)
    }

    var endsCalls: Bool { false }

    func parallelism() -> Int {
        disk.root.currentKind?.isLocal == true
            ? max(2, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN))) : Self.parallelismOfNetworks
    }

    private static let parallelismOfNetworks = 16

    /// Puts a file into the store. A directory is noted there with its permissions, so that it can be created again; it
    /// is not moved there, because programs could keep writing into it unseen.
    func remove(_ path: RelativePath, kind: EntryKind, expecting expected: Version) throws(EffectFailure) {
        let item = try disk.removable(path, kind, expecting: expected)
        guard kind == .directory else { return try disk.keeper.take(item, at: path, .deleted) }
        let note = KeptNote(path, .deleted, directoryMode: item.status.mode & 0o777)
        try disk.keeper.announce(note, in: item.parent) { _, _ throws(EffectFailure) in
            try disk.root.attempt(path) { _ throws(Errno) in try item.parent.removeDirectory(item.name) }
        }
    }
}
