internal import NIOCore
internal import SyncEngine

/// The parts of an upload, slowed down to a limit. One part is in memory at a time.
struct PacedParts<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == ByteBuffer {
    typealias Element = ByteBuffer
    private let base: Base
    private let pace: TransferPace

    init(_ base: Base, _ pace: TransferPace) {
        self.base = base
        self.pace = pace
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let pace: TransferPace
        fileprivate var rest = ByteBuffer()

        mutating func next() async throws -> ByteBuffer? {
            if rest.readableBytes == 0 {
                guard let part = try await base.next() else { return nil }
                rest = part
            }
            let piece = rest.readSlice(length: Swift.min(rest.readableBytes, pace.piece(.up)))
            try await pace.pass(piece?.readableBytes ?? 0, .up)
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator(), pace: pace) }
}
