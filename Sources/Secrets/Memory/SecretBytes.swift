internal import CLinux

/// Secret bytes: a password, a key. They are stored in separate pages, which are left out of core dumps and, as far as
/// the system permits, of swap, and they are overwritten when the last reference is released. Descriptions and
/// reflection do not show them.
///
/// @unchecked: only the initialiser writes the memory.
package final class SecretBytes: @unchecked Sendable {
    private let pages: UnsafeMutableRawBufferPointer
    /// The number of bytes.
    package let count: Int

    /// Creates bytes that `fill` writes into the given memory.
    ///
    /// - Parameters:
    ///   - capacity: The largest number of bytes.
    ///   - fill: Writes the bytes into memory that contains zeroes, and returns their number.
    /// - Throws: ``SecretStoreError/noMemory``, and any error of `fill`.
    package init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
        // The system cannot map an empty range.
        let size = max(capacity, 1)
        guard let start = clinux_map_secret(size) else { throw SecretStoreError.noMemory }
        pages = UnsafeMutableRawBufferPointer(start: start, count: size)
        do {
            let written = try fill(UnsafeMutableRawBufferPointer(rebasing: pages[..<capacity]))
            precondition((0...capacity).contains(written))
            count = written
        } catch {
            // If the initialiser of a class throws, there is no deinit.
            clinux_unmap_secret(start, size)
            throw error
        }
    }

    /// Copies bytes. The caller remains responsible for its own copy.
    package convenience init(copying bytes: some Collection<UInt8>) throws {
        try self.init(capacity: bytes.count) { room in
            room.copyBytes(from: bytes)
            return bytes.count
        }
    }

    deinit { clinux_unmap_secret(pages.baseAddress, pages.count) }

    /// Calls `body` with the bytes, which are valid only during the call. `body` has to wipe its own copies.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // The bytes are overwritten when the last reference is released, which must not happen before `body` returns.
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(rebasing: pages[..<count])) }
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Does not show the bytes.
    package var description: String { "secret" }
    /// Does not show the bytes.
    package var debugDescription: String { description }
    /// Does not show the bytes.
    package var customMirror: Mirror { Mirror(self, unlabeledChildren: EmptyCollection<Any>()) }
}
