/// A record of getdents64(2).
struct ListedEntry {
    let inode: UInt64
    /// Where the next entry begins.
    let next: UInt64
    let length: Int
    let type: UInt8
    let name: UnsafeRawBufferPointer

    private static let nameOffset = 19

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > Self.nameOffset else { return nil }
        inode = bytes.loadUnaligned(as: UInt64.self)
        next = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        length = Int(bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
        type = bytes[18]
        guard length > Self.nameOffset, length <= bytes.count else { return nil }
        let text = UnsafeRawBufferPointer(rebasing: bytes[Self.nameOffset..<length])
        name = UnsafeRawBufferPointer(rebasing: text[..<(text.firstIndex(of: 0) ?? text.count)])
    }
}
