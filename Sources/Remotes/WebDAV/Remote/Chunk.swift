import NIOCore
import SyncCore
import SyncEngine
import Synchronization

/// A number of bytes of a file, which are hashed as they pass.
struct Chunk: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let length: Int64
    private let queue: PartQueue
    private let passed = PassedBytes()

    init(_ queue: PartQueue, length: Int64) {
        self.queue = queue
        self.length = length
    }

    /// The hash of the whole chunk; nil before all of it has passed.
    var hash: ContentHash? { passed.hash }

    /// Reads all of it without sending it; returns its hash.
    func pass() async throws(DAVFailure) -> ContentHash? {
        do {
            for try await _ in self {}
        } catch {
            throw DAVFailure(error)
        }
        return hash
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let queue: PartQueue
        fileprivate let passed: PassedBytes
        fileprivate var rest: Int64

        mutating func next() async throws -> ByteBuffer? {
            guard rest > 0, let part = try await queue.take(rest) else { return nil }
            rest -= Int64(part.readableBytes)
            passed.add(part, isLast: rest == 0)
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: queue, passed: passed, rest: length) }
}

/// The hash of the bytes that have passed.
private final class PassedBytes: Sendable {
    private struct State: ~Copyable {
        var hasher = ContentHasher()
        var hash: ContentHash?
    }

    private let state = Mutex(State())

    var hash: ContentHash? { state.withLock { $0.hash } }

    func add(_ part: ByteBuffer, isLast: Bool) {
        state.withLock { state in
            part.withUnsafeReadableBytes { state.hasher?.update($0) }
            if isLast { state.hash = state.hasher.take()?.finish() }
        }
    }
}

/// The parts of a file, taken by one chunk after another.
actor PartQueue {
    private let next: @Sendable () async throws -> ByteBuffer?
    private var rest = ByteBuffer()

    init<Parts: AsyncSequence & Sendable>(_ parts: Parts) where Parts.Element == ByteBuffer {
        let source = PartSource(parts)
        next = { try await source.next() }
    }

    /// The next bytes, at most this many; nil at the end.
    func take(_ limit: Int64) async throws -> ByteBuffer? {
        if rest.readableBytes == 0 {
            guard let part = try await next() else { return nil }
            rest = part
        }
        return rest.readSlice(length: Int(min(limit, Int64(rest.readableBytes))))
    }
}

/// One iterator that several requests use one after another.
///
/// @unchecked: no two of them use it at the same time.
private final class PartSource<Parts: AsyncSequence>: @unchecked Sendable where Parts.Element == ByteBuffer {
    private var iterator: Parts.AsyncIterator

    init(_ parts: Parts) { iterator = parts.makeAsyncIterator() }

    func next() async throws -> ByteBuffer? { try await iterator.next() }
}
