/// The name of an entry of a directory.
package struct NodeName: Hashable, Sendable {
    /// The bytes with the NUL at their end that system calls want.
    package let terminated: [UInt8]

    /// The largest name that Linux permits, in bytes.
    package static let limit = 255

    /// Nil for what is no name: nothing, `.`, `..`, more than 255 bytes, or bytes with `/` or NUL among them.
    package init?(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty, bytes.count <= Self.limit else { return nil }
        guard !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else { return nil }
        if bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) && bytes.count <= 2 { return nil }
        var terminated: [UInt8] = []
        terminated.reserveCapacity(bytes.count + 1)
        terminated.append(contentsOf: bytes)
        terminated.append(0)
        self.terminated = terminated
    }

    /// The bytes without a NUL.
    package var bytes: ArraySlice<UInt8> { terminated.dropLast() }

    /// Runs `body` with the name as system calls take it.
    package func withPointer<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        terminated.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            do throws(Failure) { result = .success(try body(base)) } catch { result = .failure(error) }
        }
        // There is a NUL at least, so that there is a place for it.
        guard let result else { preconditionFailure("a name without bytes") }
        return try result.get()
    }
}

/// Where an item is, below the root of a mounted folder; the root itself has no names.
package struct NodePath: Hashable, Sendable {
    /// The names on the way, the item's own at the end.
    package let names: [NodeName]

    /// The largest path that Linux takes in one call, without the NUL.
    package static let limit = 4_095

    /// A path of these names.
    package init(_ names: [NodeName]) { self.names = names }

    /// Nil for what is no relative path: one that begins or ends with `/`, has `.` or `..` in it, or is too long.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.limit else { return nil }
        var names: [NodeName] = []
        if !bytes.isEmpty {
            for part in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                guard let name = NodeName(part) else { return nil }
                names.append(name)
            }
        }
        self.names = names
    }

    /// The names with `/` between them.
    package var bytes: [UInt8] { Array(names.map(\.bytes).joined(separator: [UInt8(ascii: "/")])) }
}
