internal import CLinux

/// Bytes that nobody else may see: a password, a key. They lie in pages of their own, which are left out of core dumps
/// and, as far as the system permits, of swap; they are overwritten when the last reference goes. Neither a description
/// nor a reflection shows them.
///
/// @unchecked: the memory is written by the initialiser alone.
package final class SecretBytes: @unchecked Sendable {
    private let pages: UnsafeMutableRawBufferPointer
    /// How many bytes there are.
    package let count: Int

    /// Bytes that `fill` writes into the room that it is given.
    ///
    /// - Parameters:
    ///   - capacity: The largest number of bytes.
    ///   - fill: Writes them, zeroes as they are, and gives how many they are.
    /// - Throws: ``SecretStoreError/noMemory``, and whatever `fill` throws.
    package init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
        // The system maps nothing of no size.
        let size = max(capacity, 1)
        guard let start = clinux_map_secret(size) else { throw SecretStoreError.noMemory }
        pages = UnsafeMutableRawBufferPointer(start: start, count: size)
        do {
            let written = try fill(UnsafeMutableRawBufferPointer(rebasing: pages[..<capacity]))
            precondition((0...capacity).contains(written))
            count = written
        } catch {
            // A class whose initialiser throws has no deinit.
            clinux_unmap_secret(start, size)
            throw error
        }
    }

    /// A copy of bytes. Whoever has them sees to theirs.
    package convenience init(copying bytes: some Collection<UInt8>) throws {
        try self.init(capacity: bytes.count) { room in
            room.copyBytes(from: bytes)
            return bytes.count
        }
    }

    deinit { clinux_unmap_secret(pages.baseAddress, pages.count) }

    /// Calls `body` with the bytes, which are valid during the call only. What it copies is its own to wipe.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // They are overwritten when the last reference goes, which must not happen before `body` returns.
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(rebasing: pages[..<count])) }
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of them.
    package var description: String { "secret" }
    /// Nothing of them.
    package var debugDescription: String { description }
    /// Nothing of them.
    package var customMirror: Mirror { Mirror(self, unlabeledChildren: EmptyCollection<Any>()) }
}
