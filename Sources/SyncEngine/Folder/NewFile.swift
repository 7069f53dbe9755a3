package import SyncCore

/// Adds a file to the user's folder, as a program of the user's would: it is synced as something new.
package struct NewFile: Sendable {
    private let local: any LocalEndpoint

    /// - Parameter folder: The folder, whose local side is written to.
    package init(in folder: SyncFolder) { local = folder.local }

    /// Gives the contents a path or, if that is taken, a numbered name beside it; returns the path. Runs on threads that
    /// may block on a disk.
    package func add(
        _ source: sending any ContentSource, at path: RelativePath
    ) async throws(EffectFailure) -> RelativePath {
        // Those of sessions are counted from 1.
        let id = StageID(.random(in: 1 << 63 ... .max))
        do throws(EffectFailure) {
            _ = try await local.stage(id, from: source, near: path) { _ in !Task.isCancelled }
            try await local.syncContents([id])
            let place = try await publish(id, at: path)
            try await local.syncRenames([BarrierItem(place)])
            return place
        } catch {
            await local.discard([id])
            throw error
        }
    }

    private func publish(_ id: StageID, at path: RelativePath) async throws(EffectFailure) -> RelativePath {
        guard let name = path.name else { throw EffectFailure(.denied, Explanation(.denied, .local, "\(path)")) }
        for number in 0..<RestoredName.attempts {
            let place = path.parent.appending(RestoredName.name(name, number))
            do throws(EffectFailure) {
                _ = try await local.publish(id, at: place, replacing: nil, permissions: nil)
                return place
            } catch {
                guard error.reason == .exists || error.reason == .nameClash else { throw error }
            }
        }
        throw EffectFailure(.exists, .tooManyRestored, .local, path)
    }
}
