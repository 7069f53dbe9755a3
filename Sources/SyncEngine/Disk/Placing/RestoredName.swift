import SyncCore

/// The names under which something is restored: nothing that has its name by now is replaced.
enum RestoredName {
    /// How many names are tried.
    static let attempts = 1_000

    /// The name itself, then `name (restored).ext`, `name (restored 2).ext` and so on, within 255 bytes.
    static func name(_ name: EntryName, _ number: Int) -> EntryName {
        guard number > 0 else { return name }
        let mark = Array((number == 1 ? " (restored)" : " (restored \(number))").utf8)
        let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")).flatMap {
            $0 > 0 && name.bytes.count - $0 <= 16 ? $0 : nil
        }
        let ext = name.bytes[(dot ?? name.bytes.count)...]
        let stem = name.bytes[..<(dot ?? name.bytes.count)].prefix(255 - mark.count - ext.count)
        return EntryName(Array(stem) + mark + Array(ext)) ?? name
    }
}
