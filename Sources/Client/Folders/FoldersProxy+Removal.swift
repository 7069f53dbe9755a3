package import RoundelBus

extension FoldersProxy {
    /// Stops syncing a folder, which must be named itself, and forgets it; no file is deleted.
    /// - Parameter dropsPlaceholders: Whether items whose contents are on the remote alone are removed from this computer.
    /// - Throws: `DBusError`, or ``ClientError/notAFolder(_:)``.
    package func removeFolder(
        at folder: ItemURI, dropsPlaceholders: Bool = false
    ) async throws -> SyncKeptVersions {
        guard try await listFolders().contains(where: { $0.uri == folder.uri }) else {
            throw ClientError.notAFolder(folder)
        }
        return try await removeFolder(folder.uri, dropsPlaceholders: dropsPlaceholders)
    }
}

extension NetworkProxy {
    /// How the folder of an item uses the network.
    /// - Throws: `DBusError`, or ``ClientError/notAFolder(_:)``.
    package func networkUse(at item: ItemURI) async throws -> SyncNetworkReport {
        guard let report = try await networkUse(item.uri).first else { throw ClientError.notAFolder(item) }
        return report
    }
}
