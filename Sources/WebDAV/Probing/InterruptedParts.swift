internal import NIOCore

/// The contents of a file that are sent to their half and never to their end.
struct InterruptedParts: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    /// Bytes that are announced.
    static let length: Int64 = 1 << 20

    /// The end of what is sent.
    struct Interruption: Error {}

    private let sent = AsyncStream<Void>.makeStream()
    private let end = AsyncStream<Void>.makeStream()

    /// Returns when half of it was taken to be sent, and more was asked for.
    func halfIsSent() async {
        for await _ in sent.stream { return }
    }

    /// Ends what is sent, with an error.
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
