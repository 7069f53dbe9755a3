internal import NIOCore

/// A buffer in memory as the contents of a file.
struct OneBuffer: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    private let bytes: ByteBuffer

    init(_ bytes: ByteBuffer) { self.bytes = bytes }

    init(_ text: String) { bytes = ByteBuffer(string: text) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: ByteBuffer?

        mutating func next() async -> ByteBuffer? {
            defer { rest = nil }
            return rest
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes) }
}
