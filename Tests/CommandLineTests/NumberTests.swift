import DBus
import RoundelBus
import StandInServices
import TestSupport
import Testing

/// The numbers of a reply may be the smallest or the largest of their type: the command prints them and ends as usual.
@Suite(.serialized) struct NumberTests {
    private static let times: [Int64] = [.min, .min + 1, -1, 0, .max]
    private static let counts: [UInt64] = [0, 1, 1 << 63, .max, .max]

    private static func status(_ turn: Int, _ folder: String) -> VariantMap {
        let (count, time) = (counts[turn], times[turn])
        var status = SyncFolderStatus(id: "f", uri: folder, state: "syncing")
        status.progress = turn % 2 == 0 ? 255 : UInt8(truncatingIfNeeded: count)
        (status.bytesDone, status.bytesTotal, status.itemsTotal) = (count, count, count)
        (status.rate, status.remaining) = (count, count)
        status.counts = ["conflict": count, "error": count, "pending": count]
        status.lastSynced = time
        status.needs = "confirm-deletes"
        status.pendingDeletes = count
        status.transfers = [(count, 0), (0, count), (count, count)].map {
            SyncTransfer(uri: folder + "/a", direction: .upload, bytesDone: $0.0, bytesTotal: $0.1)
        }
        return status.map
    }

    private static func answers(_ turn: Int, _ folder: String) -> [String: StandInWorker.Answer] {
        let (count, time) = (counts[turn], times[turn])
        var result = SyncRunResult()
        (result.uploaded, result.downloaded, result.conflicts, result.errors) = (count, count, count, count)
        result.steps = [.init(action: "upload", uri: folder + "/a", bytes: count)]
        var conflict = SyncConflict(folder: "f", uri: folder + "/a", copyURI: folder + "/b", kind: "edit-edit")
        (conflict.size, conflict.copySize) = (count, count)
        (conflict.modified, conflict.copyModified, conflict.detected) = (time, time, time)
        let activity = SyncActivity(sequence: count, time: time, folder: "f", uri: folder, action: "uploaded")
        var trash = SyncTrashItem(id: "t", folder: "f", uri: folder, reason: "deleted", place: "store", time: time)
        trash.size = count
        var entry = SyncedFolder(id: "f", uri: folder, remote: folder, label: "", state: "synced")
        entry.added = time
        var verified = SyncVerification()
        (verified.files, verified.bytes, verified.differences, verified.waiting) = (count, count, count, count)
        verified.bytesTotal = count
        return [
            "Verify": .values([.map(verified.map)]),
            "Status": .values([.maps([status(turn, folder)])]), "Sync": .values([.map(result.map)]),
            "Conflicts": .values([.maps([conflict.map])]), "Activity": .values([.maps([activity.map])]),
            "ListTrash": .values([.maps([trash.map])]), "ListFolders": .values([.maps([entry.map])]),
        ]
    }

    @Test(arguments: 0..<5)
    func everyNumberIsPrinted(turn: Int) async throws {
        let bus = try PrivateBus()
        let folder = "file:///nowhere"
        let worker = try await StandInWorker(on: bus, Self.answers(turn, folder))
        for verb in [
            ["status"], ["list"], ["activity"], ["trash"], ["conflicts"], ["sync", "--wait"], ["verify"], ["doctor"],
        ] {
            for arguments in [verb, verb + ["--json"]] {
                let ended = try Program.run(arguments, environment: bus.environment)
                // A process that a signal ended is told as 128 and the signal's number.
                #expect(ended.status < 128, "\(arguments): \(ended)")
                #expect(!ended.output.isEmpty, "\(arguments)")
            }
        }
        await worker.connection.close()
    }
}
