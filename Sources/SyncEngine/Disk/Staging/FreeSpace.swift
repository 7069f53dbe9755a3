import Support
import SyncCore
import Synchronization
import SystemPackage

/// Keeps transfers from filling a file system, on which kept versions give way first.
final class FreeSpace: Sendable {
    private let root: DiskRoot
    private let floor: FreeSpaceFloor
    private let keeper: VersionKeeper
    private let meter: DiskMeter
    /// Bytes of small files that were staged since free space was last measured.
    private let unmeasured = Mutex<Int64>(0)

    /// - Parameter floor: How much free space transfers must leave.
    init(
        in root: DiskRoot, leaving floor: FreeSpaceFloor, _ keeper: VersionKeeper, measuredBy meter: DiskMeter = .kernel
    ) {
        (self.root, self.floor, self.keeper, self.meter) = (root, floor, keeper, meter)
    }

    /// A moment, for ``retried(_:since:for:arrived:near:)``.
    var moment: Int { keeper.moment }

    /// How many bytes of a file are written before free space is measured again.
    static let measuredPart: Int64 = 64 << 20
    private static let unmeasuredLimit: Int64 = 16 << 20

    /// Refuses a file if the rest of it would leave too little free space. If it waits for room that was made and does not
    /// show yet, the failure is that of something that is tried again at once.
    func check(for size: Int64, written: Int64 = 0, near path: RelativePath) throws(EffectFailure) {
        guard isUnknown(for: size) else { return }
        guard let space = space(near: path) else { return }
        let rest = max(0, size - written)
        let floor = floor.bytes(for: size, total: space.total)
        let needed = floor.addingClamped(rest)
        let reason: EffectFailure.Reason
        let isEnough = space.available >= needed
        switch isEnough && !keeper.awaitsRoom ? .enough : makeRoom(until: needed, near: path) {
        case .enough: return unmeasured.withLock { $0 = 0 }
        case .removed, .awaited: reason = .changed
        case .nothing: reason = .noSpace
        }
        throw space.available < rest
            ? EffectFailure(reason, .tooLittleSpace, root.side, path, "\(rest)", "\(space.available)")
            : EffectFailure(reason, .nearlyFull, root.side, path, "\(rest)", "\(floor)")
    }

    private func makeRoom(until needed: Int64, near path: RelativePath) -> GivenRoom.Outcome {
        keeper.makeRoom(until: needed, near: path) {
            space(near: path)?.available
        } settling: {
            if let near = try? root.nearest(path.parent).0 { meter.settle(near.descriptor) }
        }
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
            return keeper.makeRoom(for: max(rest, 1), near: path, since: moment) != .nothing
        }
        let needed = floor.bytes(for: source.stored, total: space.total).addingClamped(rest)
        // If there seems to be room, what is full may be something else.
        if space.available >= needed { return keeper.madeRoom(near: path, since: moment) }
        return makeRoom(until: needed, near: path) != .nothing
    }

    /// The space on a path's file system; nil if it does not report it.
    private func space(near path: RelativePath) -> DiskMeter.Space? {
        guard let near = try? root.nearest(path.parent).0 else { return nil }
        return meter.space(near.descriptor)
    }
}
