package import SyncCore
internal import SyncEngine
internal import Synchronization

/// The remains of interrupted probes on a server: the collections in which they ran.
package enum InterruptedProbes {
    private static let prefix = ".roundel-stage-"
    /// After this many seconds, no probe is running any more.
    private static let longest: Int64 = 86_400

    /// A name for the collection of a new probe. Such names are never synced, in case it remains.
    package static func newName() -> EntryName { RandomName.component(prefix: prefix) }

    /// Removes collections older than a day; a younger one may belong to another client that is probing the server
    /// right now.
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
