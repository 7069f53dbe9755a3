package import SyncCore

/// Moves the contents of a source through memory and hashes them on the way: the hashed bytes are the written bytes.
package enum ContentTransfer {
    /// Reads `source` to its end and passes each part to `write`.
    ///
    /// - Parameter leaveOut: Called with the length of each part that is in a hole, which reads as zeros.
    /// - Returns: The hash and size of everything, and the source's version after the last byte.
    /// - Throws: What the source does if that is not the hash that its side tells of it.
    package static func run(
        _ source: any ContentSource, leaveOut: (Int) async throws(EffectFailure) -> Void,
        write: (UnsafeRawBufferPointer) async throws(EffectFailure) -> Void
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64, version: Version) {
        guard let hasher = ContentHasher() else { throw EffectFailure(.io, Explanation(.noMemory)) }
        return try await run(source, hasher, from: 0, leaveOut: leaveOut, write: write) { _, _ in }
    }

    /// The same for the bytes from `start` on; `hasher` has been given all bytes before it.
    ///
    /// - Parameter passed: Called after each part with the number of bytes from the beginning of the file, and the
    ///   hasher.
    static func run(
        _ source: any ContentSource, _ hasher: consuming ContentHasher, from start: Int64,
        leaveOut: (Int) async throws(EffectFailure) -> Void,
        write: (UnsafeRawBufferPointer) async throws(EffectFailure) -> Void,
        passed: (Int64, borrowing ContentHasher) async throws(EffectFailure) -> Void
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64, version: Version) {
        var hasher = hasher
        // One byte more than expected, so that one read shows the end of a small file.
        let capacity = Int(min(max(source.size, 4_095), largestPart - 1) + 1)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 4_096)
        defer { buffer.deallocate() }
        var size = start
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
            try await passed(size, hasher)
            if size == source.size && count < capacity { break }
        }
        let version = try await source.finish()
        let hash = hasher.finish()
        try source.require(hash)
        return (hash, size, version)
    }

    /// The most bytes in memory at a time.
    static let largestPart: Int64 = 1 << 20
}
