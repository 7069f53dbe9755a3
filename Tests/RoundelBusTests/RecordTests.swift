import DBus
import Support
import Testing

@testable import RoundelBus

/// Each object of the worker's interface has one table of keys for the bus and for JSON.
@Suite("The objects of the worker's interface") struct RecordTests {
    private static let fullStatus: SyncFolderStatus = {
        var status = SyncFolderStatus(id: "1", uri: "file:///a%20b", state: .syncing)
        (status.remote, status.label, status.text, status.progress) = ("file:///r", "Docs", "Uploading", 50)
        (status.bytesDone, status.bytesTotal, status.itemsTotal) = (500, 1_000, 3)
        (status.rate, status.remaining, status.pendingDeletes) = (4, 5, 6)
        status.counts = [.pending: 7, .conflict: 2, .error: 1]
        (status.lastSynced, status.lookedThrough, status.rescanInterval) = (0, 1_000_000, 60)
        (status.message, status.needs) = ("m", "conflicts")
        (status.isOnDemand, status.filesHere, status.filesOnline) = (true, 1, 2)
        (status.bytesHere, status.bytesOnline) = (7, 8)
        status.transfers = [.init(uri: "file:///a%20b/x", direction: .download, bytesDone: 1, bytesTotal: 2)]
        status.pausedUntil = 2_000_000
        return status
    }()

    private static let fullConflict: SyncConflict = {
        var conflict = SyncConflict(folder: "1", uri: "file:///a", copyURI: "file:///b", kind: "edit-edit")
        (conflict.detected, conflict.modified, conflict.copyModified) = (0, 1_000_000, 2_000_000)
        (conflict.size, conflict.copySize) = (8, 9)
        (conflict.author, conflict.isOwnAuthor) = ("Ana", true)
        return conflict
    }()

    private static let fullActivity: SyncActivity = {
        var activity = SyncActivity(sequence: 3, time: 0, folder: "1", uri: "file:///a", action: "moved")
        (activity.oldURI, activity.message) = ("file:///b", "m")
        return activity
    }()

    private static let fullTrash: SyncTrashItem = {
        var item = SyncTrashItem(
            id: "t", folder: "1", uri: "file:///a", reason: "deleted", place: "store", time: 1_000_000)
        (item.size, item.isDirectory, item.isRemoved) = (5, true, true)
        return item
    }()

    private static let fullVerification: SyncVerification = {
        var result = SyncVerification()
        (result.files, result.bytes, result.bytesTotal, result.differences, result.waiting) = (1, 2, 3, 4, 5)
        result.items = [.init(folder: "1", uri: "file:///a", finding: "unreadable", message: "m")]
        return result
    }()

    private static let fullResult: SyncRunResult = {
        var result = SyncRunResult()
        (result.uploaded, result.downloaded, result.moved, result.permissions) = (1, 2, 3, 4)
        (result.deletedLocal, result.deletedRemote, result.conflicts, result.errors) = (5, 6, 7, 8)
        (result.state, result.needs) = (.pending, "errors")
        result.waiting = [.init(uri: "file:///a", message: "m")]
        result.steps = [
            .init(action: "move", uri: "file:///a", newURI: "file:///b"),
            .init(action: "upload", uri: "file:///c", bytes: 9),
        ]
        return result
    }()

    private static let fullRestoration: SyncRestoration = {
        var result = SyncRestoration()
        (result.restored, result.beside, result.failed) = (1, 2, 3)
        (result.items, result.unlisted) = ([.init(uri: "file:///a", message: "m")], ["file:///e"])
        return result
    }()

    private static let fullFolder: SyncedFolder = {
        var folder = SyncedFolder(id: "1", uri: "file:///a", remote: "/r", label: "a", state: .paused)
        (folder.remoteURI, folder.isOnDemand, folder.isUploadOnly) = ("file:///r", true, true)
        (folder.isPaused, folder.added, folder.pausedUntil) = (true, 0, 2_000_000)
        return folder
    }()

    private static let fullNetwork: SyncNetworkReport = {
        var report = SyncNetworkReport(id: "1", uri: "file:///a")
        (report.use.up, report.use.down, report.use.isAllowedOnMetered) = (1, 2, true)
        report.use.periods = [
            .init(from: 485, until: 1_440, days: ["mon", "later"], up: 3), .init(from: 0, until: 60),
        ]
        (report.upNow, report.downNow, report.changes, report.isHeld) = (4, 5, 0, true)
        return report
    }()

    private static let fullKept: SyncKeptVersions = {
        var kept = SyncKeptVersions()
        (kept.versions, kept.bytes, kept.isPartial) = (1, 2, true)
        (kept.dropped, kept.droppedBytes) = (3, 4)
        return kept
    }()

    private static let fullDeleted: SyncDeletedVersions = {
        var deleted = SyncDeletedVersions()
        (deleted.versions, deleted.bytes, deleted.desktop, deleted.isPartial) = (1, 2, 3, true)
        return deleted
    }()

    private static let fullProblem = SyncProblem(folder: "1", uri: "file:///a", state: .error, message: "m")

    private static let fullExclusion: SyncExclusion = {
        var item = SyncExclusion(uri: "file:///a/b")
        (item.isExcluded, item.reason, item.pattern, item.isBundled) = (false, "pattern", "!b", true)
        item.directory = "file:///a"
        return item
    }()

    private static let fullSpace: SyncSpace = {
        var space = SyncSpace()
        (space.files, space.bytes, space.free, space.available) = (1, 2, 3, 4)
        return space
    }()

    private static let fullContents: SyncContentsResult = {
        var result = SyncContentsResult()
        (result.files, result.bytes, result.failed) = (1, 2, 3)
        result.items = [.init(uri: "file:///a", message: "m")]
        return result
    }()

    private static let fullProgress: SyncContentsProgress = {
        var progress = SyncContentsProgress()
        (progress.files, progress.filesTotal, progress.bytes, progress.bytesTotal) = (1, 2, 3, 4)
        progress.message = "m"
        return progress
    }()

    private static let fullCleared: SyncClearedContents = {
        var cleared = SyncClearedContents()
        (cleared.files, cleared.bytes, cleared.left) = (1, 2, 3)
        return cleared
    }()

    private static let fullRule: SyncFreeingRule = {
        var rule = SyncFreeingRule()
        (rule.freeBelow, rule.freeUnused) = (1, 2)
        return rule
    }()

    private static let fullShare: SyncShare = {
        var share = SyncShare(id: "1", kind: "user", rights: "edit")
        (share.with, share.name, share.until, share.hasPassword) = ("ana", "Ana", "2026-12-24", true)
        (share.address, share.made) = ("https://x.org/s/1", 1_000_000)
        return share
    }()

    private static let fullShareRules: SyncShareRules = {
        var rules = SyncShareRules()
        (rules.linkRights, rules.peopleRights, rules.hasGroups) = (["view", "later"], ["edit"], true)
        (rules.needsPassword, rules.leastPassword, rules.isDirectory) = (true, 1, true)
        (rules.linkDays, rules.linkUsualDays, rules.peopleDays, rules.peopleUsualDays) = (2, 3, 4, 5)
        return rules
    }()

    // MARK: The bus

    private func survives<Value: Record>(_ value: Value) -> Bool {
        Value(value.map) == value && Value(value.map.merging(["later": .bool(true)]) { $1 }) == value
    }

    @Test("Whatever an object holds survives the bus")
    func wire() {
        #expect(survives(Self.fullStatus) && survives(SyncFolderStatus(id: "1", uri: "", state: .none)))
        #expect(survives(Self.fullConflict) && survives(Self.fullActivity) && survives(Self.fullTrash))
        #expect(survives(Self.fullVerification) && survives(SyncVerification()))
        #expect(survives(Self.fullResult) && survives(SyncRunResult()))
        #expect(survives(Self.fullRestoration) && survives(Self.fullFolder) && survives(Self.fullNetwork))
        #expect(survives(Self.fullKept) && survives(Self.fullDeleted) && survives(Self.fullProblem))
        #expect(survives(Self.fullContents) && survives(Self.fullProgress) && survives(Self.fullRule))
        #expect(survives(Self.fullCleared) && survives(Self.fullExclusion) && survives(SyncExclusion(uri: "")))
        #expect(survives(Self.fullSpace) && survives(SyncSpace()))
        #expect(survives(Self.fullShare) && survives(Self.fullShareRules))
        #expect(survives(SyncShareRecipient(kind: "group", with: "crew", name: "Crew")) && survives(SyncShareRules()))
        #expect(survives(ConflictResolution(uri: "file:///a", waits: true)))
        #expect(ConflictResolution([:]) == ConflictResolution(uri: nil, waits: false))
        // A dry run without steps is one all the same.
        var rehearsal = SyncRunResult()
        rehearsal.steps = []
        #expect(survives(rehearsal))
    }

    @Test("What has its usual value is left out of a dictionary where the interface says so")
    func sparse() {
        #expect(SyncRunResult().map.keys.sorted().count == 8)
        for key in ["permissions", "needs", "waiting", "steps"] { #expect(SyncRunResult().map[key] == nil) }
        #expect(SyncContentsResult().map["items"] == nil && SyncKeptVersions().map["dropped"] == nil)
        #expect(SyncVerification().map["items"] == nil && SyncRestoration().map["unlisted"] == nil)
        #expect(SyncFolderStatus(id: "1", uri: "file:///a", state: .synced).map["transfers"] == nil)
        #expect(SyncNetworkUse().map == ["up": .uint64(0), "down": .uint64(0), "metered": .bool(false)])
        let conflict = SyncConflict(folder: "1", uri: "file:///a", copyURI: "", kind: "type")
        #expect(conflict.map == ["folder": .string("1"), "uri": .string("file:///a"), "kind": .string("type")])
    }

    @Test("An object without a key that it needs is none, and an object in it that is none is left out")
    func needed() {
        for key in ["id", "uri", "state"] {
            var map = Self.fullStatus.map
            map[key] = nil
            #expect(SyncFolderStatus(map) == nil, "\(key)")
            map[key] = .uint64(1)
            #expect(SyncFolderStatus(map) == nil, "\(key)")
        }
        #expect(SyncActivity(["sequence": .uint64(1)]) == nil && SyncActivity(["action": .string("x")]) == nil)
        #expect(SyncNetworkUse.Period(["from": .uint32(1)]) == nil)
        #expect(SyncTransfer(["uri": .string("file:///a"), "direction": .string("sideways")]) == nil)
        var map = Self.fullStatus.map
        map["transfers"] = .maps([["direction": .string("upload")], Self.fullStatus.transfers[0].map])
        map["rate"] = .string("fast")
        let status = SyncFolderStatus(map)
        #expect(status?.transfers == Self.fullStatus.transfers && status?.rate == nil)
    }

    // MARK: JSON

    @Test("JSON is what it was, key for key")
    func json() {
        #expect(
            Self.fullStatus.json.text
                == #"{"uri":"file:///a%20b","path":"/a b","id":"1","label":"Docs","remote":"file:///r","#
                + #""state":"syncing","text":"Uploading","paused_until":"1970-01-01T00:00:02Z","progress":50,"#
                + #""bytes_done":500,"bytes_total":1000,"rate":4,"#
                + #""remaining":5,"items_total":3,"conflicts":2,"errors":1,"#
                + #""counts":{"conflict":2,"error":1,"pending":7},"last_synced":"1970-01-01T00:00:00Z","#
                + #""looked_through":"1970-01-01T00:00:01Z","rescan_interval":60,"message":"m","needs":"conflicts","#
                + #""pending_deletes":6,"on_demand":true,"files_here":1,"bytes_here":7,"files_online":2,"bytes_online":8,"#
                + #""transfers":[{"uri":"file:///a%20b/x","path":"/a b/x","direction":"download","#
                + #""bytes_done":1,"bytes_total":2}]}"#)
        #expect(
            Self.fullConflict.json.text
                == #"{"uri":"file:///a","path":"/a","copy_uri":"file:///b","copy_path":"/b","kind":"edit-edit","#
                + #""folder":"1","detected":"1970-01-01T00:00:00Z","size":8,"modified":"1970-01-01T00:00:01Z","#
                + #""author":"Ana","author_own":true,"copy_size":9,"copy_modified":"1970-01-01T00:00:02Z"}"#)
        #expect(
            Self.fullActivity.json.text
                == #"{"sequence":3,"time":"1970-01-01T00:00:00Z","action":"moved","uri":"file:///a","path":"/a","#
                + #""old_uri":"file:///b","folder":"1","message":"m"}"#)
        #expect(
            Self.fullTrash.json.text
                == #"{"uri":"file:///a","path":"/a","id":"t","folder":"1","reason":"deleted","place":"store","#
                + #""time":"1970-01-01T00:00:01Z","size":5,"directory":true,"removed":true}"#)
        #expect(
            Self.fullVerification.json.text
                == #"{"files":1,"bytes":2,"differences":4,"waiting":5,"items":[{"uri":"file:///a","path":"/a","#
                + #""folder":"1","finding":"unreadable","message":"m"}]}"#)
        #expect(
            Self.fullRestoration.json.text
                == #"{"restored":1,"beside":2,"failed":3,"items":[{"uri":"file:///a","path":"/a","message":"m"}],"#
                + #""unlisted":["file:///e"]}"#)
        #expect(
            Self.fullFolder.json.text
                == #"{"uri":"file:///a","path":"/a","id":"1","label":"a","remote":"/r","remote_uri":"file:///r","#
                + #""state":"paused","paused":true,"paused_until":"1970-01-01T00:00:02Z","on_demand":true,"#
                + #""upload_only":true,"added":"1970-01-01T00:00:00Z"}"#
        )
    }

    @Test("The JSON of what is kept and deleted is what it was, key for key")
    func keptJSON() {
        #expect(
            Self.fullKept.json.text
                == #"{"kept":1,"kept_bytes":2,"kept_partial":true,"dropped":3,"dropped_bytes":4}"#)
        #expect(SyncKeptVersions().json.text == #"{"kept":0,"kept_bytes":0,"kept_partial":false}"#)
        #expect(Self.fullDeleted.json.text == #"{"deleted":1,"bytes":2,"desktop":3,"partial":true}"#)
    }

    @Test("The JSON of problems and of contents is what it was, key for key")
    func contentsJSON() {
        #expect(
            Self.fullProblem.json.text
                == #"{"uri":"file:///a","path":"/a","folder":"1","state":"error","message":"m"}"#)
        #expect(
            Self.fullContents.json.text
                == #"{"files":1,"bytes":2,"failed":3,"items":[{"uri":"file:///a","path":"/a","message":"m"}]}"#)
        #expect(SyncContentsResult().json.text == #"{"files":0,"bytes":0,"failed":0,"items":[]}"#)
        #expect(Self.fullCleared.json.text == #"{"files":1,"bytes":2,"left":3}"#)
        #expect(Self.fullRule.json.text == #"{"free_below":1,"free_unused":2}"#)
    }

    @Test("The JSON of a run and of the network is what it was, key for key")
    func longJSON() {
        #expect(
            Self.fullResult.json.text
                == #"{"uploaded":1,"downloaded":2,"moved":3,"deleted_local":5,"deleted_remote":6,"conflicts":7,"#
                + #""errors":8,"state":"pending","permissions":4,"needs":"errors","#
                + #""waiting":[{"uri":"file:///a","path":"/a","message":"m"}],"#
                + #""steps":[{"action":"move","uri":"file:///a","path":"/a","new_uri":"file:///b","bytes":0},"#
                + #"{"action":"upload","uri":"file:///c","path":"/c","new_uri":null,"bytes":9}]}"#)
        #expect(
            SyncRunResult().json.text
                == #"{"uploaded":0,"downloaded":0,"moved":0,"deleted_local":0,"deleted_remote":0,"conflicts":0,"#
                + #""errors":0,"state":""}"#)
        #expect(
            Self.fullNetwork.json.text
                == #"{"uri":"file:///a","path":"/a","up":1,"down":2,"periods":[{"from":"08:05","until":"24:00","#
                + #""days":["mon","later"],"up":3,"down":null},{"from":"00:00","until":"01:00","days":[],"up":null,"#
                + #""down":null}],"metered":true,"up_now":4,"down_now":5,"changes":"1970-01-01T00:00:00Z","held":true}"#
        )
    }

    @Test("What there is no value for is null")
    func nulls() {
        let status = SyncFolderStatus(id: "1", uri: "file:///a", state: .synced)
        for key in [
            "paused_until", "progress", "rate", "remaining", "last_synced", "looked_through", "rescan_interval",
            "message",
            "files_here", "bytes_here", "files_online", "bytes_online",
        ] {
            #expect(status.json.text.contains("\"\(key)\":null"), "\(key)")
        }
        #expect(status.json.text.contains(#""label":"a","#) && status.json.text.hasSuffix(#""transfers":[]}"#))
        #expect(SyncFolderStatus.names.count == 29)
        let conflict = SyncConflict(folder: "1", uri: "file:///a", copyURI: "", kind: "type").json.text
        #expect(conflict.contains(#""copy_uri":null,"copy_path":null,"#))
    }
}
