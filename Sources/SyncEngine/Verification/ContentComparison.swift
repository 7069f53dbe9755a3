import Glibc
import SyncCore

/// Reads a file on both sides and compares every byte.
struct ContentComparison {
    /// The result of a comparison.
    enum Outcome: Equatable {
        case equal
        case different
        /// One side's file is not the version that was seen, or is being written.
        case changing
        /// The file cannot be read on this side.
        case unreadable(Side, Explanation)
        /// It was cancelled.
        case cancelled
    }

    private let local: any Endpoint
    private let remote: any Endpoint

    private static let partSize = 1 << 20

    init(local: any Endpoint, remote: any Endpoint) {
        self.local = local
        self.remote = remote
    }

    /// Compares the file at a path, provided that it is the version that was seen on each side.
    ///
    /// - Parameter progress: Called with the number of bytes of each part; false cancels the comparison.
    func compare(
        _ path: RelativePath, local seenHere: Version, remote seenThere: Version, progress: (Int) -> Bool
    ) async -> Outcome {
        guard seenHere.size == seenThere.size else { return .different }
        do throws(Failure) {
            let here = try await reading(.local) { () async throws(EffectFailure) in
                try await local.open(path, expecting: seenHere)
            }
            let there = try await reading(.remote) { () async throws(EffectFailure) in
                try await remote.open(path, expecting: seenThere)
            }
            let outcome = try await compare(here, there, progress)
            guard outcome != .cancelled else { return .cancelled }
            _ = try await reading(.local) { () async throws(EffectFailure) in try await here.finish() }
            _ = try await reading(.remote) { () async throws(EffectFailure) in try await there.finish() }
            return outcome
        } catch {
            return error.outcome
        }
    }

    /// Reads both to the end, even after a difference: only then can each side confirm that it did not change.
    private func compare(
        _ here: any ContentSource, _ there: any ContentSource, _ progress: (Int) -> Bool
    ) async throws(Failure) -> Outcome {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * Self.partSize, alignment: 4_096)
        defer { buffer.deallocate() }
        let (first, second) = (
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<Self.partSize]),
            UnsafeMutableRawBufferPointer(rebasing: buffer[Self.partSize...])
        )
        var isEqual = true
        while true {
            let count = try await fill(first, from: here, .local)
            let other = try await fill(second, from: there, .remote)
            guard progress(max(count, other)) else { return .cancelled }
            isEqual = isEqual && count == other && Self.areEqual(first, second, count)
            if count < first.count && other < second.count { return isEqual ? .equal : .different }
        }
    }

    private static func areEqual(
        _ first: UnsafeMutableRawBufferPointer, _ second: UnsafeMutableRawBufferPointer, _ count: Int
    ) -> Bool {
        guard let first = first.baseAddress, let second = second.baseAddress else { return count == 0 }
        return memcmp(first, second, count) == 0
    }

    /// Reads until the buffer is full or the file ends.
    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from source: any ContentSource, _ side: Side
    ) async throws(Failure) -> Int {
        try await reading(side) { () async throws(EffectFailure) in
            var filled = 0
            while filled < buffer.count {
                let count = try await source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                if count == 0 { break }
                filled += count
            }
            return filled
        }
    }

    private struct Failure: Error {
        var outcome: Outcome
    }

    private func reading<Value>(
        _ side: Side, _ body: () async throws(EffectFailure) -> Value
    ) async throws(Failure) -> Value {
        do throws(EffectFailure) {
            return try await body()
        } catch {
            switch error.reason {
            case .changed, .notFound, .exists, .notEmpty, .busy, .putOff: throw Failure(outcome: .changing)
            case .nameClash, .denied, .noSpace, .io, .unreachable, .notMounted:
                throw Failure(outcome: .unreadable(side, error.message))
            }
        }
    }
}
