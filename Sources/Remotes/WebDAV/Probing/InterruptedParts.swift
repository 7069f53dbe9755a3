internal import NIOCore

/// Contents of a file that are sent halfway and never completed.
struct InterruptedParts: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    /// The number of bytes that are announced.
    static let length: Int64 = 1 << 20

    /// Ends the upload.
    struct Interruption: Error {}

    private let sent = AsyncStream<Void>.makeStream()
    private let end = AsyncStream<Void>.makeStream()

    /// Returns when half of it was taken for sending and more was requested.
    func halfIsSent() async {
        for await _ in sent.stream { return }
    }

    /// Ends the upload with an error.
    func interrupt() {
        end.continuation.finish()
        sent.continuation.finish()
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let parts: InterruptedParts
        private var isHalf = false

        fileprivate init(parts: InterruptedParts) { self.parts = parts }

        mutating func next() async throws -> ByteBuffer? {
            if !isHalf {
                isHalf = true
                return ByteBuffer(repeating: UInt8(ascii: "n"), count: Int(InterruptedParts.length / 2))
            }
            parts.sent.continuation.yield()
            for await _ in parts.end.stream {}
            throw Interruption()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: self) }
}
