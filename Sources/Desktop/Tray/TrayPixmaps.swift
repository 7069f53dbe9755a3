internal import DBus
internal import SystemPackage

/// The tray's icons as pixmaps, for panels that cannot find them in a theme.
///
/// There is one small file for each icon, made from its drawing (`make icons`), which is read when a panel requests it.
/// It contains, for each size, a byte with the size, then that many rows of as many pixels, ARGB in network order.
struct TrayPixmaps {
    /// One size of an icon.
    struct Pixmap: Equatable {
        /// Both sides, in pixels.
        let size: Int
        /// Four bytes for each pixel: alpha, red, green, blue.
        let pixels: [UInt8]
    }

    /// The maximum file size in bytes, larger than any of the icons.
    private static let limit = 256 << 10

    /// The directory of the files.
    let folder: FilePath

    /// The sizes of an icon; none if its file is missing or damaged.
    func pixmaps(_ icon: String) -> [Pixmap] {
        guard let bytes = read(folder.appending("\(icon).argb")) else { return [] }
        return Self.parse(bytes) ?? []
    }

    /// The sizes in a file; nil if it is damaged.
    static func parse(_ bytes: [UInt8]) -> [Pixmap]? {
        var pixmaps: [Pixmap] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            let length = 4 * Int(first) * Int(first)
            guard length > 0, rest.count >= length else { return nil }
            pixmaps.append(Pixmap(size: Int(first), pixels: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        return pixmaps
    }

    private func read(_ path: FilePath) -> [UInt8]? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return nil
        }
        defer { try? file.close() }
        guard let size = try? file.seek(offset: 0, from: .end), size > 0, size <= Self.limit else { return nil }
        return try? [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            count = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

extension MessageWriter {
    /// Writes `a(iiay)`.
    mutating func append(_ pixmaps: [TrayPixmaps.Pixmap]) throws {
        try appendArray(of: "(iiay)") { array in
            for pixmap in pixmaps {
                try array.appendStruct { writer in
                    try writer.append(Int32(pixmap.size))
                    try writer.append(Int32(pixmap.size))
                    try writer.append(bytes: pixmap.pixels)
                }
            }
        }
    }
}
