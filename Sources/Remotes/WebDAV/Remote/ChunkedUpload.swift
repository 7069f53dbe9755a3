import NIOCore
import Support
import SyncCore
import SyncEngine
import Synchronization

/// Uploads a large file in chunks to a server that supports it (Nextcloud's chunked upload, version 2): proxies refuse
/// requests that are too large or take too long. The file is not visible at any path before the server has assembled
/// it.
///
/// What a server confirmed of an upload is noted, and a later run does not send it again, provided that the server
/// still has each of those chunks with its length, and the file, which is read from its beginning, still has their
/// contents.
struct ChunkedUpload: Sendable {
    /// Files with more bytes are sent in chunks.
    static let least = 32 << 20
    /// The bytes of a chunk; more if there would be too many chunks.
    private static let usual: Int64 = 16 << 20
    private static let most: Int64 = 10_000

    private let client: DAVClient
    private let uploads: DAVClient
    /// The bytes of a chunk.
    private var length: Int64
    /// The most bytes of a request that get through, as far as is known.
    private let largest: Int64

    /// - Parameter largest: The most bytes of a request that get through; nil if no limit is known.
    /// - Returns: Nil if the collection is not where such a server keeps the files of a user.
    init?(_ client: DAVClient, largest: Int64? = nil) {
        self.largest = largest ?? .max
        length = min(Self.usual, self.largest)
        let names = client.location.names
        let place = ["remote.php", "dav", "files"].compactMap { EntryName($0) }
        guard let collection = EntryName("uploads"),
            let start = names.indices.first(where: { names[$0...].starts(with: place) && $0 + 3 < names.count })
        else { return nil }
        self.client = client
        uploads = client.at(names[..<(start + 2)] + [collection, names[start + 3]])
    }

    /// Goes on with chunks of the length that an upload was begun with; nil if the server refuses these now.
    ///
    /// - Parameters:
    ///   - begun: The length of all chunks but the last; nil if it was not noted.
    ///   - size: The size of the file in bytes.
    func goingOn(_ begun: Int64?, of size: Int64) -> ChunkedUpload? {
        guard let begun else { return self }
        guard begun > 0, begun <= largest || begun == length(of: size), Self.length(begun, of: size) == begun else {
            return nil
        }
        var other = self
        other.length = begun
        return other
    }

    /// A name for the collection of a new upload.
    static func newName() -> EntryName { RandomName.component(prefix: "roundel-") }

    /// Sends a file whose upload cannot be resumed. After a failure, what was sent is removed.
    func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, size: Int64, to place: RelativePath, headers: [(String, String)]
    ) async throws(DAVFailure) where Parts.Element == ByteBuffer {
        let name = Self.newName()
        do throws(DAVFailure) {
            try await send(parts, size: size, to: place, as: name, nil, after: .nothing)
            try await putTogether(name, size, at: place, headers: headers)
        } catch {
            try? await remove(name)
            throw error
        }
    }

    /// Sends the chunks of a file that the server does not have yet.
    ///
    /// - Parameters:
    ///   - size: The number of bytes in `parts`.
    ///   - place: The destination of the file.
    ///   - name: The collection of its chunks.
    ///   - claim: Where chunks are noted.
    ///   - standing: What the server already has.
    /// - Throws: `conditionFailed` also if the file's contents differ from a chunk that is on the server.
    func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, size: Int64, to place: RelativePath, as name: EntryName, _ claim: TransferClaim?,
        after standing: Standing
    ) async throws(DAVFailure) where Parts.Element == ByteBuffer {
        let upload = RelativePath([name])
        let target = ("Destination", client.location.address(of: place, isDirectory: false))
        let total = Self.total(size)
        let sent = claim?.record?.chunks ?? [:]
        if standing == .nothing { _ = try await uploads.makeDirectory(upload, headers: [target]) }
        let queue = PartQueue(parts)
        for (number, length) in lengths(size) {
            let chunk = Chunk(queue, length: length)
            if standing.has(number) {
                guard try await chunk.pass() == sent[number] else { throw DAVFailure(.conditionFailed) }
                continue
            }
            _ = try await uploads.write(
                upload.appending(Self.name(number)), length: length, parts: chunk, if: .none, headers: [target, total])
            if let hash = chunk.hash { claim?.note(chunk: number, hash) }
        }
    }

    /// Removes what was sent of a file.
    func remove(_ name: EntryName) async throws(DAVFailure) {
        do throws(DAVFailure) {
            _ = try await uploads.remove(RelativePath([name]), isDirectory: true, if: .none)
        } catch {
            guard error.reason == .notFound else { throw error }
        }
    }

    /// The numbers and lengths of the chunks of a file of this size.
    private func lengths(_ size: Int64) -> [(number: Int64, length: Int64)] {
        let length = self.length(of: size)
        return zip(Int64(1)..., stride(from: 0, to: size, by: Int64.Stride(length))).map { number, start in
            (number, min(length, size - start))
        }
    }

    /// The length of all chunks but the last of a file of this size.
    func length(of size: Int64) -> Int64 { Self.length(length, of: size) }

    /// The same, if they should have this length.
    static func length(_ wanted: Int64, of size: Int64) -> Int64 { max(wanted, (size + most - 1) / most) }

    // MARK: What is there

    /// What a server has of a file.
    enum Standing: Hashable, Sendable {
        /// Nothing that can be resumed.
        case nothing
        /// Chunks of these numbers.
        case chunks(Set<Int64>)
        /// The file, assembled at its place.
        case whole

        func has(_ number: Int64) -> Bool {
            switch self {
            case .nothing: false
            case .chunks(let numbers): numbers.contains(number)
            case .whole: true
            }
        }
    }

    /// What a server has of a file whose upload was begun, as far as it matches the notes.
    ///
    /// - Parameters:
    ///   - chunks: The numbers of the chunks that the server confirmed.
    ///   - size: The size of the file in bytes.
    ///   - place: The destination of the file.
    func standing(
        of name: EntryName, chunks sent: Set<Int64>, size: Int64, at place: RelativePath
    ) async throws(DAVFailure) -> Standing {
        guard !sent.isEmpty else { return .nothing }
        let lengths = Dictionary(uniqueKeysWithValues: lengths(size))
        guard let found = try await list(RelativePath([name])) else {
            guard sent.count == lengths.count else { return .nothing }
            return try await isThere(place, size) ? .whole : .nothing
        }
        // A chunk of another length, or one that this file does not have, would be assembled with the others. An
        // unconfirmed chunk may be incomplete: it is sent again.
        let isOurs = found.allSatisfy { number, length in
            lengths[number].map { $0 == length || !sent.contains(number) } ?? false
        }
        return isOurs ? .chunks(sent.intersection(found.keys)) : .nothing
    }

    /// The lengths of an upload's chunks by number; nil if there is no such upload.
    private func list(_ upload: RelativePath) async throws(DAVFailure) -> [Int64: Int64]? {
        let found = Mutex<[Int64: Int64]>([:])
        do throws(DAVFailure) {
            try await uploads.properties(of: upload, isDirectory: true, depth: .entries, [.resourceType, .length]) {
                [uploads] items in
                for item in items {
                    guard let path = uploads.location.path(ofReference: item.reference) else {
                        throw DAVFailure(.malformed)
                    }
                    // The listing also contains the collection itself and a placeholder for the whole file.
                    guard path.parent == upload, let number = path.name.flatMap({ Int64($0.description) }) else {
                        continue
                    }
                    found.withLock { $0[number] = item.length ?? -1 }
                }
            }
        } catch {
            guard error.reason == .notFound || error.reason == .conflict else { throw error }
            return nil
        }
        return found.withLock { $0 }
    }

    // MARK: The end

    /// Lets the server assemble the chunks. With many chunks, that takes longer than a response is waited for: then the
    /// result is polled.
    ///
    /// - Parameters:
    ///   - name: The collection of the chunks.
    ///   - size: The total size in bytes.
    ///   - headers: Additional headers about the file.
    func putTogether(
        _ name: EntryName, _ size: Int64, at place: RelativePath, headers: [(String, String)]
    ) async throws(DAVFailure) {
        let begun = ContinuousClock.now
        do throws(DAVFailure) {
            _ = try await uploads.move(
                RelativePath([name, .constant(".file")]), to: place, of: client.location, isDirectory: false, if: .none,
                overwrites: false, headers: headers + [Self.total(size)])
        } catch {
            guard error.isUndecided else { throw error }
            // A proxy that reached nobody is not worth a wait.
            let isPrompt = error.status == 502 && ContinuousClock.now - begun < DAVClient.promptRefusal
            let patience = isPrompt ? .zero : Patience.Server.assembly + .seconds(size / Self.slowest)
            let end = ContinuousClock.now + patience
            while try await !isThere(place, size) {
                guard ContinuousClock.now < end else { throw error }
                do { try await Task.sleep(for: Patience.Server.assemblyLook) } catch let cancelled {
                    throw DAVFailure(cancelled)
                }
            }
        }
    }

    /// Bytes per second that a slow server assembles.
    private static let slowest: Int64 = 4 << 20

    private func isThere(_ place: RelativePath, _ size: Int64) async throws(DAVFailure) -> Bool {
        do throws(DAVFailure) {
            return try await client.look(place).length == size
        } catch {
            guard error.reason == .notFound else { throw error }
            return false
        }
    }

    private static func total(_ size: Int64) -> (String, String) { ("OC-Total-Length", "\(size)") }

    /// Chunks are assembled in the order of their names.
    private static func name(_ number: Int64) -> EntryName {
        let digits = "\(number)"
        return EntryName(String(repeating: "0", count: max(0, 5 - digits.count)) + digits) ?? .constant("00000")
    }
}
