import Remotes
import SyncCore
import Synchronization

/// The directories of a server, before a folder is synced with it.
struct ServerDirectories: Sendable {
    let client: DAVClient

    private static let properties: Set<PropertyName> = [.resourceType, .size, .used, .directoryCount]

    /// Bytes of a listing of which directories are shown: what is to be chosen from is no place for a million items.
    static let limits = {
        var limits = DAVLimits()
        limits.listing = 64 << 20
        return limits
    }()

    /// The deepest place below which directories are made.
    private static let deepest = 64

    /// The directories in a collection.
    ///
    /// - Parameter most: The most that are kept.
    func list(_ path: RelativePath, most: Int) async throws(DAVFailure) -> FoundDirectories {
        let found = Mutex<[EntryName: FoundDirectories.Directory]>([:])
        let hasMore = Mutex(false)
        let location = client.location
        try await client.properties(of: path, isDirectory: true, depth: .entries, Self.properties) { items in
            for item in items {
                guard let place = location.path(ofReference: item.reference) else { throw DAVFailure(.malformed) }
                if place == path {
                    guard item.isCollection == true else { throw DAVFailure(.notFound) }
                    continue
                }
                guard place.parent == path, let name = place.name else { throw DAVFailure(.malformed) }
                guard item.isCollection == true, name != ServerArea.name else { continue }
                let directory = FoundDirectories.Directory(
                    name, size: item.number(.size) ?? item.number(.used),
                    hasDirectories: item.number(.directoryCount).map { $0 > 0 })
                found.withLock { found in
                    if found.count <= most { found[name] = directory } else { hasMore.withLock { $0 = true } }
                }
            }
        }
        return FoundDirectories(
            Array(found.withLock { $0 }.values), most: most, hasMore: hasMore.withLock { $0 })
    }

    /// How many more bytes may be written; nil if the server does not tell.
    func available() async throws(DAVFailure) -> Int64? {
        let told = Mutex<Int64?>(nil)
        try await client.properties(of: .root, isDirectory: true, depth: .item, [.available]) { items in
            if let bytes = items.first?.number(.available) { told.withLock { $0 = bytes } }
        }
        return told.withLock { $0 }
    }

    /// Makes the collection, and those above it, where they are missing.
    func make() async throws(DAVFailure) {
        do throws(DAVFailure) {
            try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { _ in }
        } catch {
            // A server may respond with a conflict to a request below a collection that does not exist.
            guard error.reason == .notFound || error.reason == .conflict else { throw error }
            try await make(client.location.names, client.at([]))
        }
    }

    private func make(_ names: [EntryName], _ server: DAVClient) async throws(DAVFailure) {
        guard names.count <= Self.deepest else { throw DAVFailure(.notFound) }
        do throws(DAVFailure) {
            _ = try await server.makeDirectory(RelativePath(names))
        } catch {
            // Somebody else has just made it.
            if error.reason == .notAllowed { return }
            guard error.reason == .conflict || error.reason == .notFound, names.count > 1 else { throw error }
            try await make(Array(names.dropLast()), server)
            _ = try await server.makeDirectory(RelativePath(names))
        }
    }
}

extension MultistatusResponse {
    /// A property that is a number of items or bytes; nil if the server does not tell it, or tells something impossible.
    func number(_ property: PropertyName) -> Int64? {
        properties[property].flatMap { Int64(String(decoding: $0.text.withoutBlanks(), as: UTF8.self)) }
            .flatMap { $0 >= 0 ? $0 : nil }
    }
}
