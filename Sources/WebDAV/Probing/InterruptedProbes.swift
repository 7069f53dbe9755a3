package import SyncCore
internal import SyncEngine
internal import Synchronization

/// What is left on a server of probes that were interrupted: the collections in which they tried it out.
package enum InterruptedProbes {
    private static let prefix = ".roundel-stage-"
    /// Seconds after which no probe is under way any more, whoever began it.
    private static let longest: Int64 = 86_400

    /// A name for the collection of a new probe. Its like is never synced, should it stay.
    package static func newName() -> EntryName { RandomName.component(prefix: prefix) }

    /// Removes what is older than a day; what is younger may be somebody's who tries the server out just now.
    static func remove(from client: DAVClient) async throws(DAVFailure) {
        let found = Mutex<[RelativePath]>([])
        try await client.properties(of: .root, isDirectory: true, depth: .entries, [.resourceType, .modified]) {
            items in
            guard let now = client.serverTime else { return }
            for item in items where item.isCollection == true {
                guard let path = client.location.path(ofReference: item.reference), path.names.count == 1,
                    let name = path.name, name.description.hasPrefix(prefix),
                    let modified = item.modified(year: client.year), modified < now - longest
                else { continue }
                found.withLock { $0.append(path) }
            }
        }
        for path in found.withLock({ $0 }) { _ = try await client.remove(path, isDirectory: true, if: .none) }
    }
}
