internal import NIOCore

/// A short text as the contents of a file.
struct OneBuffer: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    private let text: String

    init(_ text: String) { self.text = text }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: String?

        mutating func next() async -> ByteBuffer? {
            defer { rest = nil }
            return rest.map { ByteBuffer(string: $0) }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: text) }
}
