import SyncCore

/// Which of the items that are newer than those of an opened table may have a row in it, one bit for each. Whoever asks
/// for the row of any other new item, or writes it, need not look into the table.
struct StoredRows {
    /// No row had a higher id when the table was opened.
    private var highest: Int64 = 0
    /// One bit for each id after that.
    private var bits: [UInt64] = []
    /// Nothing is said of ids further on, so that a damaged number takes no memory: 8 MiB of bits.
    private static let reach: Int64 = 1 << 26

    /// The rows of an empty table.
    init() {}

    /// The rows of a table that has none with a higher id.
    init(upTo highest: NodeID) {
        self.highest = max(highest.rawValue, 0)
    }

    /// Whether the table certainly has no row with this id.
    func lacks(_ id: NodeID) -> Bool {
        guard let offset = offset(of: id) else { return false }
        return offset / 64 >= bits.count || bits[offset / 64] & (1 << UInt64(offset % 64)) == 0
    }

    /// The table has, or may have, a row with this id.
    mutating func insert(_ id: NodeID) {
        guard let offset = offset(of: id) else { return }
        if offset / 64 >= bits.count { bits += Array(repeating: 0, count: offset / 64 + 1 - bits.count) }
        bits[offset / 64] |= 1 << UInt64(offset % 64)
    }

    private func offset(of id: NodeID) -> Int? {
        guard id.rawValue > highest, id.rawValue - highest <= Self.reach else { return nil }
        return Int(id.rawValue - highest - 1)
    }
}
