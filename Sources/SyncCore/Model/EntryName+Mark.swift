extension EntryName {
    /// The longest name of an entry, in bytes.
    static let longest = 255

    /// The name with a mark before its extension: `name (mark).ext`.
    ///
    /// The stem is shortened so that the whole name has at most 255 bytes, at a character boundary if it is UTF-8.
    func marked(_ mark: String) -> EntryName {
        let (stem, ext) = stemAndExtension
        let mark = Array(mark.utf8)
        var kept = ext.count + mark.count < Self.longest ? ext[...] : []
        let room = Self.longest - mark.count - kept.count
        var short = Self.shortened(stem, to: room)
        if short.isEmpty {
            kept = []
            short = Self.shortened(bytes, to: Self.longest - mark.count)
        }
        return EntryName(unchecked: short + mark + kept)
    }

    /// Splits before the last dot. A leading dot begins no extension, and an extension has at most 16 bytes.
    var stemAndExtension: (stem: [UInt8], ext: [UInt8]) {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0, bytes.count - dot <= 16 else {
            return (bytes, [])
        }
        return (Array(bytes[..<dot]), Array(bytes[dot...]))
    }

    private static func shortened(_ bytes: [UInt8], to room: Int) -> [UInt8] {
        guard bytes.count > room else { return bytes }
        var end = max(room, 0)
        if String(validating: bytes, as: UTF8.self) != nil {
            while end > 0 && bytes[end] & 0xC0 == 0x80 { end -= 1 }
        }
        return Array(bytes[..<end])
    }
}
