package import SyncCore
package import SystemPackage

/// The two kinds of sides that are on disks.
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
        LocalFolder(
            at: path, stateDirectory: stateDirectory, dataHome: dataHome, owner: owner, leaving: floor,
            transfers: transfers)
    }

    /// A directory as the remote.
    package static func remote(
        at path: FilePath, owner: EntryName, leaving floor: FreeSpaceFloor = FreeSpaceFloor()
    ) -> any Remote {
        DirectoryRemote(at: path, owner: owner, leaving: floor)
    }
}
