internal import RoundelBus

/// The names of Syncthing's conflict copies: `NAME.sync-conflict-DATE-TIME-DEVICE.EXTENSION` beside `NAME.EXTENSION`.
enum ConflictName {
    private static let mark = Array(".sync-conflict-".utf8)
    /// The date, the time and seven characters of the device: `20260130-120000-ABCDEFG`.
    private static let length = 23

    /// The item that a conflict copy belongs to; nil for any other item.
    static func original(of copy: ItemURI) -> ItemURI? {
        guard let name = copy.name, let directory = copy.parent else { return nil }
        let bytes = name.bytes
        guard bytes.count >= mark.count + length,
            let start = bytes.indices.first(where: { bytes[$0...].starts(with: mark) })
        else { return nil }
        let tag = bytes[(start + mark.count)...].prefix(length)
        let end = start + mark.count + tag.count
        guard tag.count == length, isTag(Array(tag)), end == bytes.count || bytes[end] == UInt8(ascii: ".") else {
            return nil
        }
        return (try? ItemName(bytes: bytes[..<start] + bytes[end...])).map(directory.appending)
    }

    private static func isTag(_ tag: [UInt8]) -> Bool {
        tag.enumerated().allSatisfy { index, byte in
            switch index {
            case 8, 15: byte == UInt8(ascii: "-")
            case ..<15: (0x30...0x39).contains(byte)
            default: (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            }
        }
    }
}
