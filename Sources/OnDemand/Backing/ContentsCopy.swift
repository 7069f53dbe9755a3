internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// Brings what a staged file holds into an item.
///
/// Where the file system has no clones, it goes over piece by piece from the end: what is in the item is cut off from the
/// staged file, so that both together take hardly more room than one. From the first cut on the staged file is spent, and
/// never put into an item again, whatever size somebody gives it.
enum ContentsCopy {
    /// The largest piece that takes its room twice, in bytes.
    private static let largestPiece: off_t = 4 << 20
    private static let smallestPiece: off_t = 64 << 10
    private static let readingPart = 1 << 20

    /// Whether a staged file has given away some of what it held.
    static func isSpent(_ staged: BackingFile) throws(Errno) -> Bool {
        try staged.extended(Placeholder.spentAttribute, limit: 1) != nil
    }

    /// Moves the contents into an item, not durably yet.
    ///
    /// - Throws: ENOSPC, EINVAL if the staged file becomes shorter meanwhile. Then the item may hold some of it.
    static func move(_ staged: BackingFile, to item: BackingFile, size: UInt64) throws(Errno) {
        if clinux_clone(staged.raw, item.raw) == 0 { return }
        // An interrupted copy may have left something where the staged file has a hole.
        try checked { cfuse_punch(item.raw, off_t(size)) }
        let piece = try piece(staged, item)
        var end = off_t(size)
        while end > 0 {
            let start = (end - 1) / piece * piece
            try copyData(staged, to: item, from: start, until: end)
            if end == off_t(size) { try staged.setExtended(Placeholder.spentAttribute, [1]) }
            try staged.setSize(UInt64(start))
            end = start
        }
    }

    /// How much is copied before it is cut off. On a nearly full disk that is little; without room for the least, nothing
    /// is begun.
    private static func piece(_ staged: BackingFile, _ item: BackingFile) throws(Errno) -> off_t {
        var (available, total): (UInt64, UInt64) = (0, 0)
        guard clinux_file_system_space(item.raw, &available, &total) == 0 else { return largestPiece }
        if available < min(try staged.status().attributes.blocks * 512, UInt64(smallestPiece)) { throw .noSpace }
        var piece = largestPiece
        while piece > smallestPiece, UInt64(piece) > available / 2 { piece /= 2 }
        return piece
    }

    /// Copies what there is between two places; holes stay.
    private static func copyData(
        _ staged: BackingFile, to item: BackingFile, from start: off_t, until end: off_t
    ) throws(Errno) {
        var offset = start
        while offset < end {
            let data = clinux_next_data(staged.raw, offset)
            if data < 0, errno == ENXIO { return }
            if data < 0 { throw Errno(rawValue: errno) }
            let hole = try checked { clinux_next_hole(staged.raw, data) }
            try copyBytes(staged, to: item, from: data, until: min(hole, end))
            offset = hole
        }
    }

    private static func copyBytes(
        _ staged: BackingFile, to item: BackingFile, from start: off_t, until end: off_t
    ) throws(Errno) {
        var offset = start
        while offset < end {
            let wanted = Int(end - offset)
            let count: Int
            do throws(Errno) {
                count = try checked { cfuse_copy(staged.raw, offset, item.raw, offset, wanted) }
            } catch .improperLink, .noFunction, .notSupported, .invalidArgument, .notSupportedOnSocket {
                count = try copyByReading(staged, to: item, at: offset, min(wanted, readingPart))
            } catch {
                throw error
            }
            // The staged file is shorter than a moment ago: somebody writes into it.
            guard count > 0 else { throw .invalidArgument }
            offset += off_t(count)
        }
    }

    private static func copyByReading(
        _ staged: BackingFile, to item: BackingFile, at offset: off_t, _ wanted: Int
    ) throws(Errno) -> Int {
        var buffer = [UInt8](repeating: 0, count: wanted)
        let count = try checked { pread(staged.raw, &buffer, wanted, offset) }
        var written = 0
        while written < count {
            written += try checked {
                buffer.withUnsafeBytes { bytes in
                    pwrite(item.raw, bytes.baseAddress.map { $0 + written }, count - written, offset + off_t(written))
                }
            }
        }
        return count
    }
}
