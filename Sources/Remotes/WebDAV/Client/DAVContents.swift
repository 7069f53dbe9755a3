internal import AsyncHTTPClient
internal import NIOCore
internal import SyncEngine

/// The contents of a file as they arrive from a server.
package final class DAVContents {
    /// What the server reports about them.
    package let reply: DAVReply
    /// The first byte of the file that they contain.
    let start: Int64
    private var parts: HTTPClientResponse.Body.AsyncIterator
    private let pace: TransferPace?
    private var rest = ByteBuffer()
    private var size: Int64 = 0

    /// - Parameter pace: The speed limit; nil for none.
    init(_ reply: DAVReply, _ body: HTTPClientResponse.Body, from start: Int64, pace: TransferPace?) {
        self.reply = reply
        self.start = start
        self.pace = pace
        parts = body.makeAsyncIterator()
    }

    /// Waits for the next bytes and reads them; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) async throws(DAVFailure) -> Int {
        if rest.readableBytes == 0 {
            guard let part = try await next() else { return 0 }
            rest = part
        }
        let count = min(buffer.count, rest.readableBytes)
        rest.readWithUnsafeReadableBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            return count
        }
        return count
    }

    /// The next part that is not empty; nil at the end, which must be where the server announced it.
    func next() async throws(DAVFailure) -> ByteBuffer? {
        do {
            while let part = try await parts.next() {
                size += Int64(part.readableBytes)
                // No further part is read from the connection before this one is passed on.
                try await pace?.pass(part.readableBytes, .down)
                if part.readableBytes > 0 { return part }
            }
        } catch {
            throw DAVFailure(error)
        }
        if let length = reply.length, length != size { throw DAVFailure(.malformed, status: reply.status) }
        return nil
    }
}
