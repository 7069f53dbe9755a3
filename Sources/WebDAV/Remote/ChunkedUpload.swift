import NIOCore
import SyncCore
import SyncEngine

/// The way of a large file to a server that takes it in chunks (Nextcloud's chunked upload, version 2): what stands between
/// refuses requests that are too large, or take too long. No path shows the file before the server has put it together.
struct ChunkedUpload: Sendable {
    /// Files with more bytes go in chunks.
    static let least = 32 << 20
    /// Bytes of a chunk; more where there would be too many.
    private static let usual: Int64 = 16 << 20
    private static let most: Int64 = 10_000

    private let client: DAVClient
    private let uploads: DAVClient

    /// - Returns: Nil if the collection is not where such a server has the files of a user.
    init?(_ client: DAVClient) {
        let names = client.location.names
        let place = ["remote.php", "dav", "files"].compactMap { EntryName($0) }
        guard let collection = EntryName("uploads"),
            let start = names.indices.first(where: { names[$0...].starts(with: place) && $0 + 3 < names.count })
        else { return nil }
        self.client = client
        uploads = client.at(names[..<(start + 2)] + [collection, names[start + 3]])
    }

    /// Sends a file. What was sent of it before a failure is removed.
    ///
    /// - Parameters:
    ///   - size: Bytes that `parts` gives.
    ///   - place: Where it is to be, and nothing is.
    ///   - headers: What the server is told of it besides its contents.
    func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, size: Int64, to place: RelativePath, headers: [(String, String)]
    ) async throws(DAVFailure) where Parts.Element == ByteBuffer {
        let upload = RelativePath([RandomName.component(prefix: "roundel-")])
        let target = ("Destination", client.location.address(of: place, isDirectory: false))
        let total = ("OC-Total-Length", "\(size)")
        _ = try await uploads.makeDirectory(upload, headers: [target])
        do throws(DAVFailure) {
            let queue = PartQueue(parts)
            let length = max(Self.usual, (size + Self.most - 1) / Self.most)
            for (number, start) in stride(from: 0, to: size, by: Int64.Stride(length)).enumerated() {
                let chunk = Chunk(queue, length: min(length, size - start))
                _ = try await uploads.write(
                    upload.appending(Self.name(number + 1)), length: chunk.length, parts: chunk, if: .none,
                    headers: [target, total])
            }
            try await putTogether(upload, size, at: place, headers: headers + [total])
        } catch {
            _ = try? await uploads.remove(upload, isDirectory: true, if: .none)
            throw error
        }
    }

    /// Has the chunks made one file. That takes a server longer than an answer is waited for, if there are many: then it is
    /// looked up what has come of it.
    private func putTogether(
        _ upload: RelativePath, _ size: Int64, at place: RelativePath, headers: [(String, String)]
    ) async throws(DAVFailure) {
        do throws(DAVFailure) {
            _ = try await uploads.move(
                upload.appending(.constant(".file")), to: place, of: client.location, isDirectory: false, if: .none,
                overwrites: false, headers: headers)
        } catch {
            guard error.isUndecided else { throw error }
            let end = ContinuousClock.now + .seconds(60 + size / Self.slowest)
            while try await !isThere(place, size) {
                guard ContinuousClock.now < end else { throw error }
                do { try await Task.sleep(for: .seconds(2)) } catch let cancelled { throw DAVFailure(cancelled) }
            }
        }
    }

    /// Bytes in a second that a slow server puts together.
    private static let slowest: Int64 = 4 << 20

    private func isThere(_ place: RelativePath, _ size: Int64) async throws(DAVFailure) -> Bool {
        do throws(DAVFailure) {
            return try await client.look(place).length == size
        } catch {
            guard error.reason == .notFound else { throw error }
            return false
        }
    }

    /// Chunks are put together in the order of their names.
    private static func name(_ number: Int) -> EntryName {
        let digits = "\(number)"
        return EntryName(String(repeating: "0", count: max(0, 5 - digits.count)) + digits) ?? .constant("00000")
    }
}

/// The parts of a file, taken by one chunk after the other.
private actor PartQueue {
    private let next: @Sendable () async throws -> ByteBuffer?
    private var rest = ByteBuffer()

    init<Parts: AsyncSequence & Sendable>(_ parts: Parts) where Parts.Element == ByteBuffer {
        let source = PartSource(parts)
        next = { try await source.next() }
    }

    /// The next bytes, no more than so many; nil at the end.
    func take(_ limit: Int64) async throws -> ByteBuffer? {
        if rest.readableBytes == 0 {
            guard let part = try await next() else { return nil }
            rest = part
        }
        return rest.readSlice(length: Int(min(limit, Int64(rest.readableBytes))))
    }
}

/// One iterator that several requests go on with, one after the other.
///
/// @unchecked: no two of them ask at the same time.
private final class PartSource<Parts: AsyncSequence>: @unchecked Sendable where Parts.Element == ByteBuffer {
    private var iterator: Parts.AsyncIterator

    init(_ parts: Parts) { iterator = parts.makeAsyncIterator() }

    func next() async throws -> ByteBuffer? { try await iterator.next() }
}

/// So many bytes of a file.
private struct Chunk: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let length: Int64
    private let queue: PartQueue

    init(_ queue: PartQueue, length: Int64) {
        self.queue = queue
        self.length = length
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let queue: PartQueue
        fileprivate var rest: Int64

        mutating func next() async throws -> ByteBuffer? {
            guard rest > 0, let part = try await queue.take(rest) else { return nil }
            rest -= Int64(part.readableBytes)
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: queue, rest: length) }
}
