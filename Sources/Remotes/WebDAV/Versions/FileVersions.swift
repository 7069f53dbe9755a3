package import Remotes
internal import Support
package import SyncCore
package import SyncEngine
internal import Synchronization

/// The versions of files that a server with Nextcloud's layout keeps (its WebDAV collection of the versions of a file).
package struct FileVersions: Sendable {
    /// Why there are none.
    package enum Failure: Error, Hashable, Sendable {
        case request(DAVFailure)
        case keepsNone
        case noSuchVersion
    }

    private let client: DAVClient
    private let user: EntryName

    /// The most versions that a server may list of one file; more are made up.
    private static let most = 10_000
    /// Every server that keeps versions lists these of one.
    private static let properties: Set<PropertyName> = [.resourceType, .length, .modified, .versionAuthor]

    /// The versions of a collection's files; nil on a server with another layout, and if the address does not tell whose
    /// the collection is.
    ///
    /// - Parameter client: A client of the collection; it must outlive this value and what it opens.
    package init?(_ client: DAVClient) {
        guard let user = AccountFiles(of: client.location)?.userName.flatMap({ EntryName($0) }) else { return nil }
        (self.client, self.user) = (client, user)
    }

    /// The versions of a file besides the current one, the newest first.
    package func versions(of item: RelativePath) async throws(Failure) -> [PastVersion] {
        let listed = try await listed(item)
        return listed.versions.filter { $0.id != listed.current }
    }

    /// The account that wrote the current version of a file; nil if the server does not tell, or if that is not the one of
    /// this moment and size. The newest releases tell it, older ones leave the current version out.
    package func author(of item: RelativePath, modified: Int64, size: Int64) async throws(Failure) -> String? {
        let listed = try await listed(item)
        guard listed.current == "\(modified)" else { return nil }
        return listed.versions.first { $0.id == listed.current && $0.size == size }?.author
    }

    /// The account whose files these are.
    package var account: String { String(decoding: user.bytes, as: UTF8.self) }

    /// Opens one of the versions of a file for reading.
    package func open(_ version: String, of item: RelativePath) async throws(Failure) -> any ContentSource {
        let listed = try await listed(item)
        guard let meant = listed.versions.first(where: { $0.id == version && $0.id != listed.current }),
            let name = EntryName(meant.id)
        else { throw .noSuchVersion }
        do throws(DAVFailure) {
            let contents = try await client.at(listed.collection).open(RelativePath([name]), expecting: nil)
            if let length = contents.reply.length, length != meant.size { throw DAVFailure(.malformed) }
            return PastVersionSource(meant, contents, at: item, ServerTrouble(client.location))
        } catch {
            throw error.reason == .notFound ? .noSuchVersion : .request(error)
        }
    }

    // MARK: Listing

    /// What a server lists for a file.
    private struct Listed {
        /// Where the versions are.
        var collection: [EntryName]
        /// The newest first. Newer releases list the current one as well.
        var versions: [PastVersion]
        /// What the current one is called among them: by when the file was written.
        var current: String?
    }

    private func listed(_ item: RelativePath) async throws(Failure) -> Listed {
        let keepsVersions: Bool
        do throws(DAVFailure) {
            keepsVersions = try await ServerCapabilities.read(client)?.keepsVersions ?? false
        } catch {
            throw .request(error)
        }
        guard keepsVersions else { throw .keepsNone }
        let (number, modified) = try await current(item)
        let collection =
            ServerPages.base(of: client.location) + ServerPages.versions(of: number, user: user)
        var listed = Listed(collection: collection, versions: [], current: modified.map { "\($0)" })
        do throws(DAVFailure) {
            listed.versions = try await list(collection)
        } catch {
            // Of a file that was never written again some releases keep no collection.
            if error.reason != .notFound { throw .request(error) }
        }
        return listed
    }

    /// The number of a file, and when it was written.
    private func current(_ item: RelativePath) async throws(Failure) -> (number: EntryName, modified: Int64?) {
        let found = Mutex<(EntryName, Int64?)?>(nil)
        let year = client.year
        do throws(DAVFailure) {
            try await client.properties(
                of: item, isDirectory: false, depth: .item, [.fileNumber, .modified]
            ) { items in
                guard let file = items.first, let number = ItemPage.number(of: file).flatMap({ EntryName($0) }) else {
                    return
                }
                found.withLock { $0 = (number, file.modified(year: year)) }
            }
        } catch {
            throw .request(error)
        }
        guard let found = found.withLock({ $0 }) else { throw .keepsNone }
        return found
    }

    private func list(_ collection: [EntryName]) async throws(DAVFailure) -> [PastVersion] {
        let client = client.at(collection)
        let found = Mutex<[PastVersion]>([])
        let year = client.year
        try await client.properties(of: .root, isDirectory: true, depth: .entries, Self.properties) { items in
            let versions = items.compactMap { Self.version($0, in: client.location, year: year) }
            try found.withLock { all in
                all += versions
                guard all.count <= Self.most else { throw DAVFailure(.malformed) }
            }
        }
        var known: Set<String> = []
        return found.withLock { $0 }
            .filter { known.insert($0.id).inserted }
            .sorted { ($0.modified, $0.id) > ($1.modified, $1.id) }
    }

    /// A version as a listing describes it; nil for what is none, or says nothing that can be relied on.
    static func version(_ item: MultistatusResponse, in place: ServerLocation, year: Int) -> PastVersion? {
        guard item.isCollection != true, let path = place.path(ofReference: item.reference), path.names.count == 1,
            let id = path.name.flatMap({ String(validating: $0.bytes, as: UTF8.self) }), isUsable(id),
            let size = item.length, size <= largest, let modified = item.modified(year: year) ?? Int64(id),
            (0...Self.latest).contains(modified)
        else { return nil }
        var version = PastVersion(id: id, modified: modified, size: size)
        version.author = item.properties[.versionAuthor].flatMap { author in
            let text = String(validating: author.text.withoutBlanks(), as: UTF8.self)
            return text.flatMap { ServerText.isLine($0, longest: longestAuthor) ? $0 : nil }
        }
        return version
    }

    /// As of any file.
    private static let largest: Int64 = 1 << 53
    /// The end of the year 9999, beyond which no calendar goes.
    private static let latest: Int64 = 253_402_300_799
    private static let longestAuthor = 128
    private static let longestID = 64

    /// Whether a name can be shown and asked for: servers name versions by moments.
    private static func isUsable(_ id: String) -> Bool {
        (1...longestID).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch UnicodeScalar(byte) {
                case "0"..."9", "a"..."z", "A"..."Z", "-", "_": true
                default: false
                }
            }
    }
}

/// A version of a file that is being read from its server.
final class PastVersionSource: ContentSource {
    private let version: PastVersion
    private let contents: DAVContents
    private let item: RelativePath
    private let trouble: ServerTrouble
    private var position: Int64 = 0

    init(_ version: PastVersion, _ contents: DAVContents, at item: RelativePath, _ trouble: ServerTrouble) {
        (self.version, self.contents, self.item, self.trouble) = (version, contents, item, trouble)
    }

    var size: Int64 { version.size }
    var stored: Int64 { version.size }
    var modified: Int64 { version.modified.multipliedClamped(by: 1_000_000_000) }
    var permissions: Permissions? { nil }

    /// Nothing changes a version that is past.
    func settle() async {}

    func linked() async -> LinkedFile? { nil }

    func passHole() async throws(EffectFailure) -> Int64 { 0 }

    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
        do throws(DAVFailure) {
            let count = try await contents.read(into: buffer)
            position += Int64(count)
            // A response without a length ends when its connection does, which may be too early or never.
            let isRight = count > 0 ? position <= size : position == size
            if !isRight { throw DAVFailure(position < size ? .unreachable : .malformed) }
            return count
        } catch {
            throw trouble.failure(error, at: item, whereNothingWas: false)
        }
    }

    func finish() async throws(EffectFailure) -> Version {
        Version(identity: .none, tag: Token(Array(version.id.utf8)), size: version.size, modified: modified)
    }
}
