internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// Finds out whether a folder can be synced with a remote.
package enum RcloneCheck {
    /// Lists the place, and writes, renames and removes a file in a directory there.
    ///
    /// - Throws: `notFound` if the directory does not exist, `refused` without a status if it cannot contain files.
    package static func run(_ client: RcloneClient) async throws(RcloneFailure) {
        let traits = try await client.traits()
        if traits.isBucket && client.location.names.isEmpty { throw RcloneFailure(.refused) }
        do throws(RcloneFailure) {
            _ = try await client.list(.root)
        } catch {
            guard error.reason == .notFound, traits.isBucket else { throw error }
        }
        // Such names are never synced, in case it remains.
        let directory = RandomName.component(prefix: ".roundel-stage-")
        let (place, target) = (
            RelativePath([directory, .constant("first")]), RelativePath([directory, .constant("second")])
        )
        let file: SpooledFile
        do {
            file = try client.service.spool.make(for: 0, of: place)
            try file.append("roundel\n")
        } catch {
            throw RcloneFailure(.noSpace)
        }
        do throws(RcloneFailure) {
            try await client.upload(file, to: place)
            // An item that a listing leaves out would count as deleted: a known backend forgets directories below a
            // bucket.
            guard try await client.list(.root).names.contains(directory.description) else {
                throw RcloneFailure(.malformed)
            }
            try await client.moveFile(place, to: target)
            guard try await client.entry(target)?.version.size == file.size else { throw RcloneFailure(.malformed) }
            try await client.removeFile(target)
            if traits.keepsEmptyDirectories { try await client.removeDirectory(place.parent) }
        } catch {
            for path in [place, target] { try? await client.removeFile(path) }
            if traits.keepsEmptyDirectories { try? await client.removeDirectory(place.parent) }
            throw error
        }
    }
}
