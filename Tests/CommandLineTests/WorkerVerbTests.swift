import DBus
import RoundelBus
import StandInServices
import SystemPackage
import TestSupport
import Testing

@testable import roundel

/// The verbs that speak the worker's interface, with a worker that the test plays. One after the other, because each
/// waits for a program.
@Suite(.serialized) struct WorkerVerbTests {
    let bus: PrivateBus
    let directory: TemporaryDirectory

    init() throws {
        bus = try PrivateBus()
        directory = try TemporaryDirectory()
    }

    var here: String { "file://\(directory.path)" }

    func roundel(_ arguments: String...) throws -> RunningProgram.Outcome {
        try Program.run(arguments, directory: directory.path.string, environment: bus.environment)
    }

    /// What `roundel status` ends with, which says no more than the worker does in two seconds; on a busy machine that
    /// may be nothing.
    func status(_ arguments: String...) async throws -> RunningProgram.Outcome {
        var outcome = RunningProgram.Outcome?.none
        try await eventually("the worker answers in time") {
            let said = try Program.run(
                ["status"] + arguments, directory: directory.path.string, environment: bus.environment)
            outcome = said
            return said.output.contains("  /")
        }
        return try #require(outcome)
    }

    static func result(conflicts: UInt64 = 0, state: Badge = "synced") -> SyncRunResult {
        var result = SyncRunResult()
        result.uploaded = 2
        result.conflicts = conflicts
        result.state = state
        return result
    }

    private static func shareAnswers(_ rules: SyncShareRules) -> [String: StandInWorker.Answer] {
        var link = SyncShare(id: "7", kind: "link", rights: "view")
        (link.address, link.until) = ("https://x.org/s/7", "2026-12-24")
        let ana = SyncShareRecipient(kind: "user", with: "ana", name: "Ana Lopez")
        let anabel = SyncShareRecipient(kind: "user", with: "anabel", name: "Ana Bel")
        return [
            "ShareRules": .values([.map(rules.map)]), "ListShares": .values([.maps([link.map])]),
            "FindRecipients": .values([.maps([ana.map, anabel.map])]), "AddShare": .values([.map(link.map)]),
        ]
    }

    @Test("E12: share says with whom, until when and with which rights; a password is in no argument")
    func sharing() async throws {
        let worker = try await StandInWorker(on: bus, Self.shareAnswers(SyncShareRules()))
        let plain = try roundel("share", "a", "--until", "2026-12-24")
        #expect(plain.status == 0 && plain.output == "https://x.org/s/7\n", "\(plain)")
        #expect(plain.errors.contains("works until 2026-12-24"))
        #expect(
            worker.calls.last == [
                .string("AddShare"), .string("\(here)/a"), .string("link"),
                .map(["rights": .string("view"), "until": .string("2026-12-24")]),
            ])
        let upload = try roundel("share", "a", "--rights", "upload")
        #expect(upload.status == 0 && worker.calls.last?.last?.map?.string("rights") == "upload", "\(upload)")
        // Without a terminal the password is a line of the standard input.
        let none = try roundel("share", "a", "--password")
        #expect(none.status == 1 && none.errors.contains("nothing is shared"), "\(none)")
        let person = try roundel("share", "a", "--with", "ana")
        #expect(person.status == 0, "\(person)")
        #expect(worker.calls.last?.last?.map?.string("with") == "ana")
        let unclear = try roundel("share", "a", "--with", "An")
        #expect(unclear.status == 1 && unclear.errors.contains("Several are called “An”: Ana Lopez, Ana Bel"))
        let count = worker.calls.count
        for wrong in [
            ["--until", "soon"], ["--rights", "all"], ["--list", "--end", "1"], ["--with", "a", "--password"],
        ] {
            let outcome = try Program.run(
                ["share", "a"] + wrong, directory: directory.path.string, environment: bus.environment)
            #expect(outcome.status == 64, "\(wrong) \(outcome)")
        }
        #expect(worker.calls.count == count)
    }

    @Test("E12: shares are listed and ended")
    func shares() async throws {
        let worker = try await StandInWorker(on: bus, Self.shareAnswers(SyncShareRules()))
        let list = try roundel("share", "a", "--list")
        #expect(list.status == 0 && list.output.contains("https://x.org/s/7"), "\(list)")
        #expect(list.output.hasPrefix("7  view"), "\(list)")
        #expect(try roundel("share", "a", "--list", "--json").output.hasPrefix(#"[{"id":"7","kind":"link""#))
        let ended = try roundel("share", "a", "--end", "7")
        #expect(ended.status == 0 && ended.output.contains("has ended"), "\(ended)")
        #expect(worker.calls.last == [.string("EndShare"), .string("\(here)/a"), .string("7"), .map([:])])
    }

    @Test func addNamesBothSidesByURIAndPrintsWhatItAdded() async throws {
        let worker = try await StandInWorker(on: bus, ["AddFolder": .values([.string("f1")])])
        let added = try roundel("add", "my docs", "remote", "--json")
        #expect(added.status == 0)
        #expect(
            worker.calls == [
                [.string("AddFolder"), .string("\(here)/my%20docs"), .string("\(here)/remote"), .map([:])]
            ])
        #expect(
            added.output
                == #"{"id":"f1","uri":"\#(here)/my%20docs","path":"\#(directory.path)/my docs","remote":"\#(here)/remote"}"#
                + "\n")
    }

    @Test func addWithWaitEndsWithWhatTheFirstRunDid() async throws {
        let result = WorkerVerbTests.result(conflicts: 1, state: "conflict")
        let worker = try await StandInWorker(
            on: bus, ["AddFolder": .values([.string("f1")]), "Sync": .values([.map(result.map)])])
        let added = try roundel("add", "a", "/r", "--wait")
        #expect(added.status == 2)
        #expect(added.output == "Conflict: 2 uploaded, 1 conflict.\n")
        #expect(worker.calls.last == [.string("Sync"), .string("f1"), .map(["wait": .bool(true)])])
    }

    @Test func syncWithWaitPrintsTheDocumentedObject() async throws {
        let worker = try await StandInWorker(on: bus, ["Sync": .values([.map(WorkerVerbTests.result().map)])])
        let run = try roundel("sync", "--wait", "--json", "--confirm-deletes", "x")
        #expect(run.status == 0)
        #expect(
            run.output == #"{"uploaded":2,"downloaded":0,"moved":0,"deleted_local":0,"deleted_remote":0,"conflicts":0,"#
                + #""errors":0,"state":"synced"}"# + "\n")
        #expect(
            worker.calls == [
                [.string("Sync"), .string("\(here)/x"), .map(["wait": .bool(true), "confirm-deletes": .bool(true)])]
            ])
    }

    @Test func syncWithoutWaitPrintsNoCountsOfWhatItHasNotDone() async throws {
        let state = WorkerVerbTests.result(state: "syncing")
        let worker = try await StandInWorker(on: bus, ["Sync": .values([.map(state.map)])])
        let run = try roundel("sync", "--json", "x")
        #expect(run.status == 0 && run.output == #"{"state":"syncing","needs":null}"# + "\n")
        #expect(worker.calls == [[.string("Sync"), .string("\(here)/x"), .map([:])]])
    }

    @Test func syncAsksForWhatWasDeletedToBeRestored() async throws {
        let worker = try await StandInWorker(on: bus, ["Sync": .values([.map(WorkerVerbTests.result().map)])])
        #expect(try roundel("sync", "--restore-deleted", "x").status == 0)
        #expect(worker.calls == [[.string("Sync"), .string("\(here)/x"), .map(["restore-deleted": .bool(true)])]])
        let both = try roundel("sync", "--restore-deleted", "--confirm-deletes")
        #expect(both.status == 64 && both.errors.contains("exclude each other"))
        #expect(worker.calls.count == 1)
    }

    @Test func verifySaysWhatIsNotTheSame() async throws {
        var result = SyncVerification()
        (result.files, result.bytes, result.differences, result.waiting) = (7, 5_000, 3, 1)
        result.items = [
            .init(folder: "f1", uri: "file:///d/a", finding: "different"),
            .init(folder: "f1", uri: "file:///d/b", finding: "missing-remote"),
            .init(folder: "f1", uri: "file:///d/c%0A", finding: "unreadable", message: "No permission."),
        ]
        let worker = try await StandInWorker(on: bus, ["Verify": .values([.map(result.map)])])
        let run = try roundel("verify", "x")
        #expect(run.status == 2)
        #expect(worker.calls == [[.string("Verify"), .string("\(here)/x"), .map([:])]])
        #expect(
            run.output == """
                different              /d/a
                missing on the remote  /d/b
                cannot be read         /d/c\\n  No permission.
                3 items are not the same on both sides; equal files: 7.
                1 item was not compared: it is changing or not synced yet.

                """)
        let json = try roundel("verify", "--json")
        #expect(json.status == 2 && worker.calls.last == [.string("Verify"), .string(""), .map([:])])
        #expect(
            json.output == #"{"files":7,"bytes":5000,"differences":3,"waiting":1,"items":["#
                + #"{"uri":"file:///d/a","path":"/d/a","folder":"f1","finding":"different","message":null},"#
                + #"{"uri":"file:///d/b","path":"/d/b","folder":"f1","finding":"missing-remote","message":null},"#
                + #"{"uri":"file:///d/c%0A","path":"/d/c\n","folder":"f1","finding":"unreadable","#
                + #""message":"No permission."}]}"# + "\n")
    }

    @Test func verifyEndsWithDoneWhereNothingDiffers() async throws {
        var result = SyncVerification()
        (result.files, result.bytes) = (1, 2)
        _ = try await StandInWorker(on: bus, ["Verify": .values([.map(result.map)])])
        let run = try roundel("verify")
        #expect(run.status == 0 && run.output == "Nothing differs: 1 file (2 bytes) is equal on both sides.\n")
    }

    @Test func verifyEndsWithFailedWhereNothingCanBeCompared() async throws {
        _ = try await StandInWorker(on: bus, ["Verify": .error("Failed", "Nothing can be compared. It is gone.")])
        let run = try roundel("verify", "x")
        #expect(run.status == 1 && run.errors == "roundel: Nothing can be compared. It is gone.\n")
    }

    @Test func syncGivesUpWaitingInTime() async throws {
        _ = try await StandInWorker(on: bus, ["Sync": .silence])
        let run = try roundel("sync", "--wait", "--timeout", "0.2")
        #expect(run.status == 1)
        #expect(run.errors.contains("not finished yet; it goes on"))
    }

    @Test func aDryRunListsItsStepsAndExitsWithDone() async throws {
        var result = WorkerVerbTests.result(conflicts: 1)
        result.steps = [.init(action: "move", uri: "file:///d/a", newURI: "file:///d/b", bytes: 0)]
        let worker = try await StandInWorker(on: bus, ["Sync": .values([.map(result.map)])])
        let run = try roundel("sync", "--dry-run")
        #expect(run.status == 0)
        #expect(run.output == "move  /d/a -> /d/b\nWould be: 2 uploaded, 1 conflict.\n")
        #expect(worker.calls == [[.string("Sync"), .string(""), .map(["dry-run": .bool(true), "wait": .bool(true)])]])
    }

    @Test func aRefusalOfTheWorkerIsItsSentenceAndTheCommandThatHelps() async throws {
        _ = try await StandInWorker(on: bus, ["Pause": .error("UnknownFolder", "No synced folder holds /x.")])
        let refused = try roundel("pause", "/x")
        #expect(refused.status == 1 && refused.errors == "roundel: No synced folder holds /x. See: roundel list\n")
    }

    @Test func onlyASyncedFolderItselfCanBeRemoved() async throws {
        let folder = SyncedFolder(id: "f1", uri: "\(here)/a", remote: "file:///r", label: "a", state: "synced")
        let worker = try await StandInWorker(on: bus, ["ListFolders": .values([.maps([folder.map])])])
        let inside = try roundel("remove", "a/b")
        #expect(inside.status == 1 && inside.errors.contains("is not a synced folder"))
        let removed = try roundel("remove", "a")
        #expect(removed.status == 0)
        #expect(removed.output == "\(directory.path)/a is no longer synced. Its files stay, here and on the remote.\n")
        #expect(worker.calls.last == [.string("RemoveFolder"), .string("\(here)/a"), .map([:])])
        let list = try roundel("list")
        #expect(list.output == "synced  \(directory.path)/a  ->  /r\n")
    }

    @Test func removeSaysWhatStaysAndForHowLong() async throws {
        let folder = SyncedFolder(id: "f1", uri: "\(here)/a%20b", remote: "file:///r", label: "a", state: "synced")
        _ = try await StandInWorker(
            on: bus,
            [
                "ListFolders": .values([.maps([folder.map])]),
                "RemoveFolder": .values(
                    [], more: ["kept": .uint64(3), "kept-bytes": .uint64(4_200), "kept-partial": .bool(true)]),
            ])
        let text = try roundel("remove", "a b").output
        #expect(text.contains("3 replaced or deleted versions (4.2 kB) are kept for up to 30 days."))
        #expect(text.contains("To list them: roundel trash. To restore one: roundel trash restore PATH."))
        #expect(text.contains("To delete them now: roundel trash delete '\(directory.path)/a b'\n"))
        #expect(text.hasSuffix("One side of “\(directory.path)/a b” does not answer; what it keeps is not counted.\n"))
        #expect(
            try roundel("remove", "--json", "a b").output.hasSuffix(
                #""kept":3,"kept_bytes":4200,"kept_partial":true}"# + "\n"))
    }

    @Test func conflictsNeedTheUserAndAreResolvedByEitherPath() async throws {
        var conflict = SyncConflict(folder: "f1", uri: "file:///d/a", copyURI: "file:///d/a%20(c)", kind: "edit-edit")
        conflict.size = 10
        let worker = try await StandInWorker(
            on: bus,
            [
                "Conflicts": .values([.maps([conflict.map])]),
                "Resolve": .values([], more: ["uri": .string("file:///d/a"), "waits": .bool(true)]),
            ])
        let list = try roundel("conflicts")
        #expect(list.status == 2)
        #expect(
            list.output
                == "/d/a (changed on both sides)\n  remote         /d/a      10 bytes\n  this computer  /d/a (c)\n")
        let json = try roundel("conflicts", "--json", "/d")
        #expect(json.status == 2 && json.output.hasPrefix(#"[{"uri":"file:///d/a","path":"/d/a","copy_uri":"#))
        let waits = try roundel("resolve", "/d/a (c)", "mine")
        #expect(waits.status == 2 && waits.output.hasPrefix("“/d/a (c)” is resolved when its folder can be synced"))
        worker.answer("Conflicts", .values([.maps([])]))
        worker.answer("Resolve", .values([], more: ["uri": .string("file:///d/a")]))
        #expect(try roundel("resolve", "/d/a (c)", "mine").output == "The conflict of “/d/a” is resolved.\n")
        let resolved = try roundel("resolve", "/d/a (c)", "mine", "--json")
        #expect(resolved.status == 0 && resolved.output == #"{"uri":"file:///d/a","path":"/d/a"}"# + "\n")
        #expect(
            worker.calls.last { $0.first == .string("Resolve") }?.prefix(3)
                == [.string("Resolve"), .string("file:///d/a%20%28c%29"), .string("mine")])
    }

    @Test func excludesAreListedAddedAndRemoved() async throws {
        let worker = try await StandInWorker(
            on: bus, ["ListExcludes": .values([.strings(["*.tmp"])], more: ["bundled": .strings([".~lock.*"])])])
        #expect(try roundel("exclude", "/d").output == ".~lock.*  (bundled)\n*.tmp\n")
        #expect(
            try roundel("exclude", "/d", "--json").output == #"{"patterns":["*.tmp"],"bundled":[".~lock.*"]}"# + "\n")
        #expect(try roundel("exclude", "/d", "a b", "c").status == 0)
        #expect(
            worker.calls.last == [.string("AddExcludes"), .string("file:///d"), .strings(["a b", "c"]), .map([:])])
        #expect(try roundel("exclude", "/d", "c", "--remove").status == 0)
        #expect(worker.calls.last == [.string("RemoveExcludes"), .string("file:///d"), .strings(["c"]), .map([:])])
    }

    @Test func activityFollowsWithoutTellingTwice() async throws {
        let first = SyncActivity(sequence: 1, time: 0, folder: "f", uri: "file:///d/a", action: "uploaded")
        let second = SyncActivity(sequence: 2, time: 0, folder: "f", uri: "file:///d/b", action: "downloaded")
        let worker = try await StandInWorker(on: bus, ["Activity": .values([.maps([first.map])])])
        #expect(try roundel("activity", "-n", "5").output == "1970-01-01T00:00:00Z  uploaded  /d/a\n")
        let program = try Program.start(
            ["activity", "--watch", "--json"].map { Array($0.utf8) }, environment: bus.environment)
        #expect(try program.line().hasPrefix(#"{"sequence":1,"#))
        try await worker.emit("ActivityAdded", [.maps([first.map, second.map])])
        #expect(try program.line().hasPrefix(#"{"sequence":2,"time":"1970-01-01T00:00:00Z","action":"downloaded""#))
        #expect(try program.end(with: 15) == 0)
    }

    @Test("What happens in a folder is shown, also if another folder counted further")
    func activityCountsForEachFolder() async throws {
        func entry(_ folder: String, _ count: UInt64) -> VariantMap {
            SyncActivity(
                sequence: count, time: 0, folder: folder, uri: "file:///\(folder)/\(count)", action: "uploaded"
            ).map
        }
        let worker = try await StandInWorker(
            on: bus, ["Activity": .values([.maps([entry("old", 9_999), entry("new", 4)])])])
        let program = try Program.start(
            ["activity", "--watch", "--json"].map { Array($0.utf8) }, environment: bus.environment)
        for count in [9_999, 4] { #expect(try program.line().hasPrefix("{\"sequence\":\(count),")) }
        try await worker.emit("ActivityAdded", [.maps([entry("new", 4), entry("old", 10_000), entry("new", 5)])])
        for count in [10_000, 5] { #expect(try program.line().hasPrefix("{\"sequence\":\(count),")) }
        #expect(try program.end(with: 15) == 0)
    }

    @Test func statusFollowsTheWorkerAndSaysWhatNeedsTheUser() async throws {
        var status = SyncFolderStatus(id: "f1", uri: "file:///d", state: "conflict")
        status.text = "One conflict"
        status.counts = ["conflict": 1]
        let worker = try await StandInWorker(
            on: bus, ["Status": .values([.maps([status.map])], more: ["watching": .bool(true)])])
        let once = try await self.status()
        #expect(once.status == 2)
        #expect(once.output == "conflict  /d  One conflict\n  1 conflict. See: roundel conflicts\n")
        let program = try Program.start(
            ["status", "--watch", "--json"].map { Array($0.utf8) }, environment: bus.environment)
        #expect(try program.line().hasPrefix(#"{"state":"conflict","watching":true"#))
        status.state = "synced"
        status.counts = [:]
        try await worker.emit("StatusChanged", [.string("f1"), .map(status.map)])
        #expect(try program.line().hasPrefix(#"{"state":"synced","watching":true"#))
        #expect(try program.end(with: 2) == 0)
    }

    @Test func statusEndsWithTwoWhereAFolderNeedsTheUserWhateverItsState() async throws {
        let status = SyncFolderStatus(id: "f1", uri: "file:///d", state: "paused")
        var needing = SyncFolderStatus(id: "f2", uri: "file:///e", state: "paused")
        needing.needs = "deletions"
        _ = try await StandInWorker(
            on: bus, ["Status": .values([.maps([status.map, needing.map])], more: ["watching": .bool(true)])])
        #expect(try await self.status().status == 2)
        #expect(try await self.status("/e").status == 2)
        #expect(try await self.status("/d").status == 0)
    }

    @Test func trashIsListedAndRestored() async throws {
        var item = SyncTrashItem(
            id: "t1", folder: "f", uri: "file:///d/a", reason: "deleted", place: "desktop", time: 0)
        item.size = 5
        _ = try await StandInWorker(
            on: bus,
            ["ListTrash": .values([.maps([item.map])]), "RestoreTrash": .values([.string("file:///d/a%202")])])
        #expect(try roundel("trash").output == "1970-01-01T00:00:00Z  deleted  5 bytes  /d/a\n")
        #expect(try roundel("trash", "list", "--json").output.contains(#""reason":"deleted","place":"desktop""#))
        #expect(try roundel("trash", "restore", "/d/a").output == "Restored as /d/a 2.\n")
    }

    @Test func aLongTrashIsAskedForInParts() async throws {
        let items = (1...2).map {
            SyncTrashItem(
                id: "t\($0)", folder: "f", uri: "file:///d/\($0)", reason: "deleted", place: "desktop", time: 0)
        }
        let worker = try await StandInWorker(on: bus, [:])
        worker.answer(
            "ListTrash",
            .inTurn([
                .values([.maps([items[0].map])], more: ["next": .string("7 a")]), .values([.maps([items[1].map])]),
            ]))
        #expect(
            try roundel("trash").output
                == "1970-01-01T00:00:00Z  deleted  /d/1\n1970-01-01T00:00:00Z  deleted  /d/2\n")
        #expect(
            worker.calls == [
                [.string("ListTrash"), .string(""), .map([:])],
                [.string("ListTrash"), .string(""), .map(["after": .string("7 a")])],
            ])
    }

    @Test func trashOnTheRemoteIsSaidToBeThere() async throws {
        let item = SyncTrashItem(
            id: "remote:1", folder: "f", uri: "file:///d/a", reason: "replaced", place: "remote", time: 0)
        _ = try await StandInWorker(
            on: bus,
            [
                "ListTrash": .values([.maps([item.map])], more: ["unlisted": .strings(["file:///d"])]),
                "RestoreTrash": .values(
                    [.string("file:///d/a")], more: ["side": .string("remote"), "count": .uint32(3)]),
            ])
        let listed = try roundel("trash")
        #expect(listed.output == "1970-01-01T00:00:00Z  replaced  /d/a  on the remote\n")
        #expect(listed.errors.contains("“/d”"))
        #expect(try roundel("trash", "--json").output.contains(#""place":"remote""#))
        let restored = try roundel("trash", "restore", "/d/a").output
        #expect(restored.hasPrefix("Restored on the remote: 3 items of /d/a."))
        #expect(try roundel("trash", "restore", "/d/a", "--json").output.contains(#""side":"remote","count":3"#))
    }

    @Test func everythingSinceAMomentIsRestoredAndWhatIsNotIsNamed() async throws {
        var result = SyncRestoration()
        (result.restored, result.beside, result.failed) = (12, 2, 1)
        result.items = [.init(uri: "file:///d/a", message: "No permission.")]
        result.unlisted = ["file:///e"]
        let worker = try await StandInWorker(on: bus, ["RestoreTrashSince": .values([.map(result.map)])])
        let run = try roundel("trash", "restore", "--all", "--since", "2026-01-02T03:04:05Z", "--to", "x", "a")
        #expect(run.status == 2)
        #expect(
            worker.calls == [
                [
                    .string("RestoreTrashSince"), .string("\(here)/a"), .int64(1_767_323_045_000_000),
                    .map(["to": .string("\(here)/x")]),
                ]
            ])
        #expect(
            run.output == """
                /d/a  No permission.
                12 items were restored.
                2 of them are beside what has their names now, with “(restored)” in their own.
                1 item could not be restored.

                """)
        #expect(run.errors.contains("“/e”"))
        let json = try roundel("trash", "restore", "--all", "--since", "2h", "--json")
        #expect(
            json.output == #"{"restored":12,"beside":2,"failed":1,"items":[{"uri":"file:///d/a","path":"/d/a","#
                + #""message":"No permission."}],"unlisted":["file:///e"]}"# + "\n")
        #expect(json.status == 2 && worker.calls.last?[1] == .string(""))
    }

    @Test func nothingToRestoreIsSaid() async throws {
        _ = try await StandInWorker(on: bus, ["RestoreTrashSince": .values([.map(SyncRestoration().map)])])
        let run = try roundel("trash", "restore", "--all", "--since", "3d")
        #expect(run.status == 0 && run.output.hasPrefix("Nothing is kept that was replaced or deleted since 20"))
    }

    @Test(arguments: [
        ["--all"], ["--since", "2h"], [], ["--all", "--since", "tomorrow"], ["--all", "--since", "2999-01-01"],
        ["--all", "--since", "2026-02-30"], ["a", "--since", "2h"],
    ])
    func whatCannotBeMeantIsRefused(arguments: [String]) throws {
        #expect(try Program.run(["trash", "restore"] + arguments, environment: bus.environment).status == 64)
    }

    @Test func whatIsKeptIsDeletedForGood() async throws {
        let worker = try await StandInWorker(
            on: bus,
            [
                "DeleteTrash": .values([
                    .map(["deleted": .uint64(2), "bytes": .uint64(7), "desktop": .uint64(1), "partial": .bool(true)])
                ])
            ])
        let run = try roundel("trash", "delete", "a")
        #expect(run.status == 2)
        #expect(worker.calls == [[.string("DeleteTrash"), .string("\(here)/a"), .map([:])]])
        #expect(
            run.output
                == "2 kept versions (7 bytes) were deleted.\n1 item is in the desktop's trash; empty that to delete it.\n"
        )
        #expect(run.errors.contains("Not everything kept of “\(directory.path)/a” was deleted"))
    }
}
