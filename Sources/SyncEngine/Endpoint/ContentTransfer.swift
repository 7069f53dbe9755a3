package import SyncCore

/// Moves the contents of a source through memory, hashing what passes: the bytes that were hashed are the bytes that
/// were written.
package enum ContentTransfer {
    /// Reads `source` to its end and gives each part to `write`.
    ///
    /// - Parameter leaveOut: Given the length of each part that is in a hole, and reads as zeros.
    /// - Returns: The hash and size of everything, and the source's version after the last byte.
    package static func run(
        _ source: any ContentSource, leaveOut: (Int) async throws(EffectFailure) -> Void,
        write: (UnsafeRawBufferPointer) async throws(EffectFailure) -> Void
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64, version: Version) {
        guard var hasher = ContentHasher() else { throw EffectFailure(.io, Explanation(.noMemory)) }
        // One byte more than expected, so that a small file's end is seen in one read.
        let capacity = Int(min(max(source.size + 1, 4_096), largestPart))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 4_096)
        defer { buffer.deallocate() }
        var size: Int64 = 0
        while true {
            while case var hole = try await source.passHole(), hole > 0 {
                size += hole
                buffer.initializeMemory(as: UInt8.self, repeating: 0)
                while hole > 0 {
                    let part = UnsafeRawBufferPointer(rebasing: buffer[..<Int(min(hole, Int64(capacity)))])
                    hasher.update(part)
                    try await leaveOut(part.count)
                    hole -= Int64(part.count)
                }
            }
            let count = try await source.read(into: buffer)
            if count == 0 { break }
            let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(part)
            try await write(part)
            size += Int64(count)
            if size == source.size && count < capacity { break }
        }
        let version = try await source.finish()
        return (hasher.finish(), size, version)
    }

    private static let largestPart: Int64 = 1 << 20
}
