/// How much of a file system transfers must leave free, so that everything else there keeps working.
package struct FreeSpaceFloor: Hashable, Sendable {
    /// In bytes; nil for the default: a hundredth of the file system, 500 MiB at most.
    private let bytes: Int64?

    /// Files of at most this many bytes are small: they may use more space, so that what the user edits still syncs.
    static let smallSize: Int64 = 1 << 20
    private static let usual: Int64 = 500 << 20
    /// Transfers of small files must leave only this fraction of the floor.
    private static let partForSmall: Int64 = 10
    /// No disk is larger, and sums of such numbers cannot overflow.
    private static let largest: Int64 = 1 << 60

    /// - Parameter bytes: nil for the default.
    package init(bytes: Int64? = nil) {
        self.bytes = bytes.map { min(max($0, 0), Self.largest) }
    }

    /// How much a transfer of this many bytes must leave free on a file system of `total` bytes.
    package func bytes(for size: Int64, total: Int64) -> Int64 {
        let whole = bytes ?? min(total / 100, Self.usual)
        return size > Self.smallSize ? whole : whole / Self.partForSmall
    }
}
