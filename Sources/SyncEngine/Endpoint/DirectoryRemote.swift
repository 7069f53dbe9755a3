import Glibc
package import SyncCore
package import SystemPackage

/// A folder or mounted share as the remote: needs only the file system.
///
/// Several installations may use one directory: each stages in its own directory, and replaces only a version that it
/// has seen, which it checks again after the exchange.
extension DiskEndpoint: Remote {
    var endsCalls: Bool { false }

    func parallelism() -> Int {
        currentKind?.isLocal == true ? max(2, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN))) : Self.parallelismOfNetworks
    }

    private static let parallelismOfNetworks = 16

    /// The kind of the file system at the path, determined without writing anything there; nil if it cannot be opened.
    private var currentKind: DiskKind? {
        guard let directory = try? DirectoryHandle(absolute: path) else { return nil }
        return try? DiskKind(of: directory.descriptor)
    }

}

/// The two kinds of disk endpoints.
package enum DiskEndpoints {
    /// The user's folder.
    ///
    /// - Parameters:
    ///   - stateDirectory: The folder's own directory below `$XDG_STATE_HOME`.
    ///   - dataHome: `$XDG_DATA_HOME`, which holds the trash.
    ///   - owner: The folder's identifier.
    ///   - floor: How much free space transfers must leave.
    ///   - transfers: Where large transfers to it are noted; nil if transfers cannot be resumed after a restart.
    package static func local(
        at path: FilePath, stateDirectory: FilePath, dataHome: FilePath, owner: EntryName,
        leaving floor: FreeSpaceFloor = FreeSpaceFloor(), transfers: TransferLedger? = nil
    ) -> any LocalEndpoint {
        DiskEndpoint(
            path: path, stateDirectory: stateDirectory, disposal: .trash(dataHome: dataHome), side: .local,
            owner: owner, leaving: floor, transfers: transfers)
    }

    /// A directory as the remote.
    package static func remote(
        at path: FilePath, owner: EntryName, leaving floor: FreeSpaceFloor = FreeSpaceFloor()
    ) -> any Remote {
        DiskEndpoint(
            path: path, stateDirectory: nil, disposal: .store, side: .remote, owner: owner, leaving: floor)
    }
}
