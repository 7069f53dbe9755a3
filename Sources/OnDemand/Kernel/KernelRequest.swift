internal import CFuse
internal import MountProtocol
internal import SystemPackage

/// A request of the kernel, read part by part. It is valid until the thread that read it reads the next.
struct KernelRequest {
    let header: fuse_in_header
    private var rest: UnsafeRawBufferPointer

    /// Nil for what is not as long as it says.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<fuse_in_header>.size else { return nil }
        header = bytes.loadUnaligned(as: fuse_in_header.self)
        guard Int(header.len) == bytes.count else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: bytes[MemoryLayout<fuse_in_header>.size...])
    }

    /// The number that the answer names.
    var unique: UInt64 { header.unique }
    var node: NodeNumber { NodeNumber(rawValue: header.nodeid) }
    var thread: Int32 { Int32(bitPattern: header.pid) }

    /// The next part, of a type that the operation has at this place.
    mutating func part<Part: BitwiseCopyable>(_ type: Part.Type = Part.self) throws(Errno) -> Part {
        let size = MemoryLayout<Part>.size
        guard rest.count >= size else { throw .invalidArgument }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[size...]) }
        return rest.loadUnaligned(as: Part.self)
    }

    /// The last part, of which older kernels send only the beginning; what is missing is 0.
    mutating func lastPart<Part: BitwiseCopyable>(_ empty: Part) -> Part {
        var part = empty
        withUnsafeMutableBytes(of: &part) {
            $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix($0.count)))
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[rest.endIndex...])
        return part
    }

    /// The next text, without its NUL.
    mutating func text() throws(Errno) -> [UInt8] {
        guard let end = rest.firstIndex(of: 0) else { throw .invalidArgument }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...]) }
        return Array(rest[..<end])
    }

    /// The next text as the name of an entry.
    mutating func name() throws(Errno) -> NodeName {
        let text = try text()
        guard let name = NodeName(text) else { throw text.count > NodeName.limit ? .fileNameTooLong : .invalidArgument }
        return name
    }

    /// So many bytes of what is left.
    mutating func bytes(_ count: Int) throws(Errno) -> UnsafeRawBufferPointer {
        guard count <= rest.count else { throw .invalidArgument }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }
}
