import SyncCore
import SystemPackage

extension RelativePath {
    /// The path as the system calls take it.
    var filePath: FilePath {
        var bytes: [CChar] = []
        for name in names {
            if !bytes.isEmpty { bytes.append(CChar(bitPattern: UInt8(ascii: "/"))) }
            bytes += name.bytes.map { CChar(bitPattern: $0) }
        }
        bytes.append(0)
        return bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
        }
    }
}

extension EntryName {
    /// The name that a directory gave; nil for what is none.
    init?(_ component: FilePath.Component) {
        self.init(component.bytes)
    }
}
