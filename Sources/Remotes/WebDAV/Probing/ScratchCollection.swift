import NIOCore
import SyncCore
import SyncEngine
import Synchronization

/// A collection on a server in which it is tried out, and the small steps of which the tests consist.
final class ScratchCollection: Sendable {
    let client: DAVClient
    let path: RelativePath
    /// A file that is locked until the collection is removed, and the lock.
    private let locked = Mutex<(file: RelativePath, lock: String)?>(nil)

    /// What the tests look at.
    static let properties: Set<PropertyName> = [
        .resourceType, .entityTag, .length, .modified, .available, .checksums, .fileNumber, .permissions,
    ]
    /// A tag that no file has.
    static let foreignTag = EntityTag(Array("roundel-none".utf8))

    init(_ client: DAVClient, _ path: RelativePath) { (self.client, self.path) = (client, path) }

    /// An item in it.
    func file(_ name: String) -> RelativePath { EntryName(name).map(path.appending) ?? path }

    /// Writes a file.
    func put(
        _ path: RelativePath, _ text: String, if condition: Condition = .none, headers: [(String, String)] = []
    ) async throws(DAVFailure) -> DAVReply {
        try await client.write(
            path, length: Int64(text.utf8.count), parts: OneBuffer(text), if: condition, headers: headers)
    }

    /// Whether a request that should fail did.
    ///
    /// - Parameter reason: Why it should; nil if the server may respond with anything but success.
    func isRefused(
        for reason: DAVFailure.Reason? = nil, _ body: () async throws(DAVFailure) -> DAVReply
    ) async throws(DAVFailure) -> Bool {
        do throws(DAVFailure) {
            _ = try await body()
            return false
        } catch {
            guard let status = error.status, status < 500, !error.isAboutLogin else { throw error }
            return reason.map { $0 == error.reason } ?? true
        }
    }

    /// What the server says about an item.
    func entry(_ path: RelativePath, isDirectory: Bool = false) async throws(DAVFailure) -> MultistatusResponse? {
        try await list(path, isDirectory: isDirectory, depth: .item).first
    }

    /// What it says about an item and what is in it.
    ///
    /// - Parameter more: Further properties.
    func list(
        _ path: RelativePath, isDirectory: Bool = true, depth: DAVClient.Depth, _ more: Set<PropertyName> = []
    ) async throws(DAVFailure) -> [MultistatusResponse] {
        let found = Collected()
        try await client.properties(
            of: path, isDirectory: isDirectory, depth: depth, Self.properties.union(more)
        ) {
            try await found.add($0)
        }
        return await found.items
    }

    /// Everything in the collection, by its path.
    func items(
        depth: DAVClient.Depth, _ more: Set<PropertyName> = []
    ) async throws(DAVFailure) -> [RelativePath: MultistatusResponse] {
        var items: [RelativePath: MultistatusResponse] = [:]
        for item in try await list(path, depth: depth, more) {
            if let path = client.location.path(ofReference: item.reference) { items[path] = item }
        }
        return items
    }

    /// The contents of a file, at most what the probe writes.
    func contents(_ path: RelativePath, from start: Int64 = 0) async throws(DAVFailure) -> String {
        let found = CollectedText()
        _ = try await client.read(path, from: start, expecting: nil) { try await found.add($0) }
        return await found.text
    }

    /// Locks a file until the collection is removed. Whether the server has locks.
    func lock(_ file: RelativePath) async throws(DAVFailure) -> Bool {
        guard let lock = try await client.lock(file, seconds: 60).lock else { return false }
        locked.withLock { $0 = (file, lock) }
        return true
    }

    /// Removes the collection with everything in it.
    func remove() async throws(DAVFailure) {
        // A lock that has expired is no use for a second attempt.
        let held = locked.withLock { held in
            defer { held = nil }
            return held
        }
        _ = try await client.remove(path, isDirectory: true, if: .none, lock: held?.lock, on: held?.file)
    }
}

/// The items of a response.
private actor Collected {
    private(set) var items: [MultistatusResponse] = []

    /// The collection of the probe contains few items; more belong to someone else or are made up.
    func add(_ more: [MultistatusResponse]) throws {
        guard items.count + more.count <= 1_000 else { throw DAVFailure(.malformed) }
        items += more
    }
}

/// The text of a small file.
private actor CollectedText {
    private(set) var text = ""

    func add(_ part: ByteBuffer) throws {
        guard text.utf8.count + part.readableBytes <= InterruptedParts.length else { throw DAVFailure(.malformed) }
        text += String(buffer: part)
    }
}
