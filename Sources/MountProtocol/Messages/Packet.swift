/// Writes a packet: numbers with the lowest byte first, bytes with their count before them.
struct PacketWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ part: [UInt8]) {
        put(UInt32(part.count))
        bytes += part
    }
}

/// Reads a packet that may hold anything.
struct PacketReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(PacketError) -> Number {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { throw .tooShort }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).reversed().reduce(Number.zero) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Bytes with their count before them.
    mutating func part(limit: Int) throws(PacketError) -> [UInt8] {
        let count = Int(try number(UInt32.self))
        guard count <= limit else { throw .tooLong }
        guard rest.count >= count else { throw .tooShort }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// The path of an item.
    mutating func path() throws(PacketError) -> NodePath {
        guard let path = NodePath(try part(limit: NodePath.limit)) else { throw .noPath }
        return path
    }
}

/// What is wrong with a packet.
package enum PacketError: Error, Hashable, Sendable {
    case tooShort
    case tooLong
    case noPath
    case unknownKind(UInt32)
    /// A number or a combination that means nothing.
    case senseless
}
