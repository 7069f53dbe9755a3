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
    ///   - contents: The mounted folder, if it is on demand: then it is used only while it is mounted, and what is
    ///     staged, replaced and deleted stays within it.
    package static func local(
        at path: FilePath, stateDirectory: FilePath, dataHome: FilePath, owner: EntryName,
        leaving floor: FreeSpaceFloor = FreeSpaceFloor(), transfers: TransferLedger? = nil,
        contents: MountedContents? = nil
    ) -> any LocalEndpoint {
        LocalFolder(
            at: path, stateDirectory: stateDirectory, dataHome: dataHome, owner: owner, leaving: floor,
            transfers: transfers, contents: contents)
    }

    /// A directory as the remote.
    package static func remote(
        at path: FilePath, owner: EntryName, leaving floor: FreeSpaceFloor = FreeSpaceFloor()
    ) -> any Remote {
        DirectoryRemote(at: path, owner: owner, leaving: floor)
    }
}
