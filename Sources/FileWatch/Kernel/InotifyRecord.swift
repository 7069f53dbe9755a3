import CLinux
import Glibc

/// One event in the buffer into which it was read; valid until the buffer is filled again.
struct InotifyRecord {
    let watch: Int32
    let mask: UInt32
    let cookie: UInt32
    /// Empty for an event of the directory itself.
    let name: UnsafeBufferPointer<UInt8>

    func has(_ flag: Int32) -> Bool { mask & UInt32(bitPattern: flag) != 0 }

    var isDirectory: Bool { mask & UInt32(IN_ISDIR) != 0 }

    /// Calls `body` with each event of a filled buffer.
    static func forEach(in buffer: UnsafeRawBufferPointer, _ body: (InotifyRecord) -> Void) {
        let header = 16
        var offset = 0
        while offset + header <= buffer.count {
            let length = Int(buffer.load(fromByteOffset: offset + 12, as: UInt32.self))
            guard offset + header + length <= buffer.count else { return }
            let field = UnsafeRawBufferPointer(rebasing: buffer[(offset + header)..<(offset + header + length)])
            field.withMemoryRebound(to: UInt8.self) { padded in
                // The kernel pads names with NULs.
                let size = padded.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
                body(
                    InotifyRecord(
                        watch: buffer.load(fromByteOffset: offset, as: Int32.self),
                        mask: buffer.load(fromByteOffset: offset + 4, as: UInt32.self),
                        cookie: buffer.load(fromByteOffset: offset + 8, as: UInt32.self),
                        name: UnsafeBufferPointer(rebasing: padded[..<size])))
            }
            offset += header + length
        }
    }
}
