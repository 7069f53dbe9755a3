import SyncCore
import TestSupport

/// What a person answers when deletions are held back.
extension SimulatedHistory {
    /// Confirms them, or has everything put back that is missing: until all agree, the same each time.
    mutating func answerDeletions() throws {
        guard let side = heldDeletions else { return }
        let isDeclined = declines ?? (has(.sweeps) && random.oneIn(2))
        declines = isDeclined
        if !isDeclined { return try tell(.command(.confirmDeletes)) }
        // What is in a file system that is not mounted is there as well.
        let left = edge[side].state.inodes.values.filter { $0.residence == .here }.map(\.content)
        user.decline(
            deletionsOn: side.other, holding: left, files: syncedFiles(on: side, isHere: true),
            besides: edge[side.other].numbers)
        try tell(.command(.restoreDeleted))
    }
}
