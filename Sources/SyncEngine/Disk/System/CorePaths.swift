import Glibc
package import SyncCore

extension EntryName {
    /// A name that this program defines.
    package static func constant(_ text: StaticString) -> EntryName {
        EntryName("\(text)") ?? .root
    }

    /// The name with a terminator, for system calls.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 1) { buffer in
            buffer.copyBytes(from: bytes)
            buffer[bytes.count] = 0
            return buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { body(UnsafePointer($0)) } ?? body(".")
            }
        }
    }
}

extension RelativePath {
    /// The length of the path in bytes, without a terminator.
    var length: Int { names.reduce(max(names.count - 1, 0)) { $0 + $1.bytes.count } }

    /// The path with a terminator, `.` for the root, for system calls.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let length = max(length, 1)
        return withUnsafeTemporaryAllocation(byteCount: length + 1, alignment: 1) { buffer in
            buffer[0] = UInt8(ascii: ".")
            var position = 0
            for name in names {
                if position > 0 {
                    buffer[position] = UInt8(ascii: "/")
                    position += 1
                }
                buffer[position...].copyBytes(from: name.bytes)
                position += name.bytes.count
            }
            buffer[length] = 0
            return buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { body(UnsafePointer($0)) } ?? body(".")
            }
        }
    }

    /// The bytes of the path, names joined by `/`.
    var bytes: [UInt8] { Array(names.map(\.bytes).joined(separator: [UInt8(ascii: "/")])) }

    /// The path with these bytes; nil if it contains an invalid name.
    init?(bytes: some Collection<UInt8>) {
        var names: [EntryName] = []
        for part in bytes.split(separator: UInt8(ascii: "/")) {
            guard let name = EntryName(Array(part)) else { return nil }
            names.append(name)
        }
        self.init(names)
    }
}
