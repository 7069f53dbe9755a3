/// How much of a file system transfers leave free, so that whatever else works there goes on working.
package struct FreeSpaceFloor: Hashable, Sendable {
    /// In bytes; nil for the usual: a hundredth of the file system, 500 MiB at most.
    private let bytes: Int64?

    /// Files of at most so many bytes are small: what a person changes by hand goes on.
    static let smallSize: Int64 = 1 << 20
    private static let usual: Int64 = 500 << 20
    /// Small files may take all but this part of it.
    private static let partForSmall: Int64 = 10
    /// No disk is larger, and sums of such numbers cannot overflow.
    private static let largest: Int64 = 1 << 60

    /// - Parameter bytes: nil for the usual.
    package init(bytes: Int64? = nil) {
        self.bytes = bytes.map { min(max($0, 0), Self.largest) }
    }

    /// What a transfer of so many bytes has to leave free on a file system that holds `total`.
    package func bytes(for size: Int64, total: Int64) -> Int64 {
        let whole = bytes ?? min(total / 100, Self.usual)
        return size > Self.smallSize ? whole : whole / Self.partForSmall
    }
}
