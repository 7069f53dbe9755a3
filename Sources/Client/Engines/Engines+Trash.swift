internal import DBus
package import RoundelBus

extension Engines {
    /// Asks the engine that keeps the versions of an item: its owner, or the bundled one if the owner keeps none, because
    /// that keeps the versions of folders that it no longer syncs.
    /// - Throws: As ``ask(ownerOf:_:)``.
    package func ask<Answer>(
        keeperOf item: ItemURI, _ question: (TrashProxy) async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await ask(ownerOf: item, question)
        } catch ClientError.notOffered(let engine, let interface) {
            do {
                return try await question(TrashProxy(bus: bus))
            } catch let error as DBusError
                where error.isMissingService || [.unknownFolder, .notInTrash].contains(error.roundelCode)
            {
                throw ClientError.notOffered(engine: engine, interface)
            }
        }
    }

    /// What every engine keeps.
    /// - Throws: As ``ask(_:_:)``.
    package func keptVersions() async throws -> KeptList {
        KeptList(try await ask(nil) { (engine: TrashProxy) in (engine: engine, part: try await engine.listTrash("")) })
    }

    /// The versions of a file that its server keeps by itself, the newest first; none where no server does, or the engine
    /// does not ask it. The server may keep the caller waiting for some seconds.
    /// - Throws: As ``ask(ownerOf:_:)``, also if the server cannot be asked.
    package func serverVersions(of item: ItemURI) async throws -> [SyncServerVersion] {
        do {
            return try await ask(ownerOf: item) { (engine: TrashProxy) in
                try await engine.serverVersions(of: item.uri)
            }
        } catch ClientError.notOffered, ClientError.engineCannot {
            return []
        } catch let error as DBusError where error.roundelCode == .unsupported {
            return []
        }
    }

    /// Restores one of these versions, as a new file.
    /// - Returns: The URI of the new file.
    package func restoreServerVersion(_ id: String, of item: ItemURI) async throws -> String {
        try await ask(ownerOf: item) { (engine: TrashProxy) in
            try await engine.restoreServerVersion(id, of: item.uri)
        }
    }

    /// The engines with folders of which they keep no versions.
    package func withoutTrash() async -> [Engine] { await others(offering: .folders, but: .trash) }
}
