internal import NIOCore
import Synchronization

/// The parts of an upload: the reader of the file passes one at a time, and continues when the connection has taken it.
final class UploadParts: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// The request ended before it took everything.
    struct Refused: Error {}

    private enum State {
        case empty
        /// The connection waits for a part.
        case awaited(CheckedContinuation<ByteBuffer?, any Error>)
        /// A part waits for the connection.
        case full(ByteBuffer, CheckedContinuation<Void, any Error>)
        /// Nothing follows; with an error if the upload is incomplete.
        case ended((any Error)?)
    }

    private let state = Mutex(State.empty)

    /// Passes a part and waits until it is taken.
    func send(_ part: ByteBuffer) async throws {
        try await withCheckedThrowingContinuation { (taken: CheckedContinuation<Void, any Error>) in
            let waiting = state.withLock { state -> CheckedContinuation<ByteBuffer?, any Error>? in
                switch state {
                case .empty, .full:
                    state = .full(part, taken)
                    return nil
                case .awaited(let connection):
                    state = .empty
                    return connection
                case .ended(let error):
                    taken.resume(throwing: error ?? Refused())
                    return nil
                }
            }
            guard let waiting else { return }
            waiting.resume(returning: part)
            taken.resume()
        }
    }

    /// Ends the upload. Both ends call this; only the first call counts.
    func end(_ error: (any Error)? = nil) {
        let before = state.withLock { state in
            if case .ended = state { return State.empty }
            defer { state = .ended(error) }
            return state
        }
        switch before {
        case .empty, .ended: break
        case .awaited(let connection):
            if let error { connection.resume(throwing: error) } else { connection.resume(returning: nil) }
        case .full(_, let writer): writer.resume(throwing: error ?? Refused())
        }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let parts: UploadParts

        func next() async throws -> ByteBuffer? { try await parts.take() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: self) }

    private func take() async throws -> ByteBuffer? {
        try await withCheckedThrowingContinuation { connection in
            let taken = state.withLock { state -> (ByteBuffer, CheckedContinuation<Void, any Error>)? in
                switch state {
                case .empty, .awaited:
                    state = .awaited(connection)
                    return nil
                case .full(let part, let writer):
                    state = .empty
                    return (part, writer)
                case .ended(let error):
                    if let error { connection.resume(throwing: error) } else { connection.resume(returning: nil) }
                    return nil
                }
            }
            guard let taken else { return }
            connection.resume(returning: taken.0)
            taken.1.resume()
        }
    }
}
