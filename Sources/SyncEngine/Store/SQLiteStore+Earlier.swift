package import SyncCore

extension SQLiteStore {
    /// The versions of a file that the remote held before the synced version, the newest last.
    package func earlierVersions(_ id: NodeID) throws -> [EarlierVersion] {
        let numbers = try first(.earlier, { $0.bind(id.rawValue, at: 1) }) { row in
            let bytes = row.buffer(0)
            return stride(from: 0, to: bytes.count - bytes.count % 16, by: 8).map {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
            }
        }
        guard let numbers else { return [] }
        return stride(from: 0, to: numbers.count, by: 2).map {
            EarlierVersion(size: numbers[$0], modified: numbers[$0 + 1])
        }
    }

    /// Stores them, size and time of each as little-endian 64-bit numbers, or deletes them if there are none.
    package func setEarlierVersions(_ versions: [EarlierVersion], of id: NodeID) throws {
        if versions.isEmpty { return try execute(.removeEarlier) { $0.bind(id.rawValue, at: 1) } }
        var bytes: [UInt8] = []
        for number in versions.flatMap({ [$0.size, $0.modified] }) {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        try execute(.setEarlier) { statement in
            statement.bind(id.rawValue, at: 1)
            statement.bind(bytes, at: 2)
        }
    }
}
