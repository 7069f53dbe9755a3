/// A PNG, as far as it can be judged without decompressing anything.
enum PNGFile {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The header and the pixels, and short chunks that say how they are meant. Others can hold compressed texts and
    /// profiles that are much larger than the file.
    private static let allowed: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "pHYs", "sBIT", "bKGD", "tEXt", "tIME",
    ]
    /// Each kind of colour with the depths that it can have.
    private static let depths: [UInt8: Set<UInt8>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    /// How many pixels wide and high it is; nil if it is no PNG, is damaged, has anything behind its end, or is not
    /// square.
    static func size(of bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: signature) else { return nil }
        var position = signature.count
        var size: Int?
        var hasPixels = false
        while let chunk = chunk(of: bytes, at: position) {
            guard allowed.contains(chunk.name), (chunk.name == "IHDR") == (size == nil) else { return nil }
            switch chunk.name {
            case "IHDR":
                guard let side = side(bytes[chunk.content]) else { return nil }
                size = side
            case "IDAT": hasPixels = true
            case "IEND": return hasPixels && chunk.content.isEmpty && chunk.end == bytes.count ? size : nil
            default: break
            }
            position = chunk.end
        }
        return nil
    }

    private struct Chunk {
        let name: String
        let content: Range<Int>
        /// Behind its check sum.
        var end: Int { content.upperBound + 4 }
    }

    private static func chunk(of bytes: [UInt8], at position: Int) -> Chunk? {
        guard position + 12 <= bytes.count else { return nil }
        let length = number(bytes[position..<position + 4])
        guard length <= bytes.count - position - 12 else { return nil }
        return Chunk(
            name: String(decoding: bytes[position + 4..<position + 8], as: UTF8.self),
            content: position + 8..<position + 8 + length)
    }

    private static func side(_ header: ArraySlice<UInt8>) -> Int? {
        guard header.count == 13 else { return nil }
        let fields = Array(header)
        let width = number(fields[0..<4])
        guard width == number(fields[4..<8]), depths[fields[9]]?.contains(fields[8]) ?? false,
            fields[10] == 0, fields[11] == 0, fields[12] <= 1
        else { return nil }
        return width
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
