import CLinux
import Support
import SyncCore
import Synchronization
import SystemPackage

/// Keeps transfers from filling a file system, on which kept versions give way first.
final class FreeSpace: Sendable {
    private let root: DiskRoot
    private let floor: FreeSpaceFloor
    private let keeper: VersionKeeper
    /// Bytes of small files that were staged since free space was last measured.
    private let unmeasured = Mutex<Int64>(0)

    /// - Parameter floor: How much free space transfers must leave.
    init(in root: DiskRoot, leaving floor: FreeSpaceFloor, _ keeper: VersionKeeper) {
        (self.root, self.floor, self.keeper) = (root, floor, keeper)
    }

    /// A moment, for ``retried(_:since:for:arrived:near:)``.
    var moment: Int { keeper.moment }

    /// How many bytes of a file are written before free space is measured again.
    static let measuredPart: Int64 = 64 << 20
    private static let unmeasuredLimit: Int64 = 16 << 20

    /// Refuses a file if the rest of it would leave too little free space.
    func check(for size: Int64, written: Int64 = 0, near path: RelativePath) throws(EffectFailure) {
        guard isUnknown(for: size) else { return }
        var moment = keeper.moment
        guard var space = space(near: path) else { return }
        let rest = max(0, size - written)
        let floor = floor.bytes(for: size, total: space.total)
        if space.available - rest >= floor { return unmeasured.withLock { $0 = 0 } }
        while keeper.makeRoom(
            for: floor.addingClamped(rest) - space.available, near: path, since: moment, onlyIfEnough: true)
        {
            moment = keeper.moment
            guard let now = self.space(near: path), now.available - rest < floor else { return }
            space = now
        }
        throw space.available < rest
            ? EffectFailure(.noSpace, .tooLittleSpace, root.side, path, "\(rest)", "\(space.available)")
            : EffectFailure(.noSpace, .nearlyFull, root.side, path, "\(rest)", "\(floor)")
    }

    /// Whether free space must be measured before writing this many bytes: always for a large file, and each time that
    /// enough small ones have accumulated.
    private func isUnknown(for size: Int64) -> Bool {
        unmeasured.withLock { unmeasured in
            unmeasured = unmeasured.addingClamped(size)
            return size > FreeSpaceFloor.smallSize || unmeasured > Self.unmeasuredLimit
        }
    }

    /// The failure of a transfer whose remains are removed. If there was no space for it, as much of what is kept is
    /// removed as is missing; if there is room now, it is tried again at once.
    ///
    /// - Parameters:
    ///   - moment: A moment of the keeper before the transfer.
    ///   - arrived: Bytes of it that are kept for the next attempt.
    func retried(
        _ error: EffectFailure, since moment: Int, for source: any ContentSource, arrived: Int64 = 0,
        near path: RelativePath
    ) -> EffectFailure {
        makesRoom(after: error, since: moment, for: source, arrived: arrived, near: path)
            ? EffectFailure(.changed, error.message) : error
    }

    private func makesRoom(
        after error: EffectFailure, since moment: Int, for source: any ContentSource, arrived: Int64,
        near path: RelativePath
    ) -> Bool {
        guard error.reason == .noSpace else { return false }
        // These were found before anything was written, and nothing more can give way.
        if error.message.code == .tooLittleSpace || error.message.code == .nearlyFull { return false }
        let rest = max(source.stored - arrived, 0)
        guard let space = space(near: path) else {
            return keeper.makeRoom(for: max(rest, 1), near: path, since: moment)
        }
        let missing = floor.bytes(for: source.stored, total: space.total).addingClamped(rest) - space.available
        return missing > 0 && keeper.makeRoom(for: missing, near: path, since: moment, onlyIfEnough: true)
    }

    /// Available and total bytes of a path's file system; nil if it does not report them.
    private func space(near path: RelativePath) -> (available: Int64, total: Int64)? {
        var available: UInt64 = 0
        var total: UInt64 = 0
        guard let near = try? root.nearest(path.parent).0,
            clinux_file_system_space(near.descriptor.raw, &available, &total) == 0, total > 0
        else { return nil }
        // Larger numbers are not real, and sums of clamped numbers cannot overflow.
        return (Int64(clamping: min(available, 1 << 60)), Int64(clamping: min(total, 1 << 60)))
    }
}
