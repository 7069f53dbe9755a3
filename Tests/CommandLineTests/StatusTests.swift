import Client
import RoundelBus
import Support
import Testing

@testable import roundel

@Suite struct StatusTests {
    static func status(_ path: String, state: Badge, needs: WireWord<FolderNeed>? = nil) -> SyncFolderStatus {
        var status = SyncFolderStatus(id: "1", uri: "file://" + path, state: state)
        status.remote = "file:///r"
        status.text = "Uploading"
        status.progress = 50
        status.bytesDone = 500
        status.bytesTotal = 1000
        status.needs = needs
        return status
    }

    @Test func plainOutputIsALineForEachFolderAndWhatItNeeds() throws {
        let view = try #require(FolderSummary(StatusTests.status("/my folder", state: "error", needs: "root-missing")))
        #expect(
            view.lines(on: .plain) == [
                "error  50 %  /my folder  Uploading",
                "  The folder is missing. Restore or mount it, or, if you moved it: roundel relocate '/my folder' NEW",
            ])
    }

    @Test(
        arguments: [
            ("remote-missing", "The remote directory “/r” is missing. Is the share mounted?", 1),
            ("root-missing", "The folder “/a” is missing. Restore or mount it.", 2),
            ("root-replaced", "The folder on this computer is not known to be the one that was synced.", 2),
            ("confirm-deletes", "26 deletions need your confirmation. Confirm them, or restore the items.", 2),
            ("login", "The server https://cloud.example.org wants you to log in.", 2),
            ("remote-restored", "The remote looks restored from a backup: 3 files are older versions.", 2),
            ("disk-full", "There is no space left for “a” on this computer. Free some space; it is tried again.", 1),
        ] as [(WireWord<FolderNeed>, String, Int)])
    func eachThingIsSaidOnce(need: WireWord<FolderNeed>, sentence: String, count: Int) throws {
        var status = StatusTests.status("/a", state: "error", needs: need)
        (status.text, status.message, status.progress) = (sentence, sentence, 255)
        let lines = try #require(FolderSummary(status)).lines(on: .plain)
        #expect(lines.count == count, "\(lines)")
        #expect(lines.count { $0.contains(sentence.prefix(30)) } == 1, "\(lines)")
    }

    @Test(
        "Where a sentence says what is wrong, the commands that help follow it",
        arguments: [
            ("root-missing", "If you moved it: roundel relocate '/a b' NEW"),
            (
                "root-replaced",
                """
                If it is the same: roundel sync --same-root '/a b'. If it is another, or comes from a backup: roundel \
                sync --unite '/a b'
                """
            ),
            (
                "confirm-deletes",
                "To delete: roundel sync --confirm-deletes '/a b'. To restore: roundel sync --restore-deleted '/a b'"
            ),
            ("login", "Log in: roundel login '/a b'"), ("conflicts", "Choose what to keep: roundel conflicts '/a b'"),
            ("errors", "See: roundel activity"), ("disk-full", nil), ("remote-missing", nil),
        ] as [(WireWord<FolderNeed>, String?)])
    func remedies(need: WireWord<FolderNeed>, command: String?) {
        var status = StatusTests.status("/a%20b", state: "error", needs: need)
        status.message = "It is wrong."
        #expect(Needs.remedy(status) == command)
        status.remote = "rclone:my drive:x"
        let rclone = need.known == .login ? "Log in: rclone config reconnect 'my drive:'" : command
        #expect(Needs.remedy(status) == rclone)
    }

    @Test func whatOnlyTheWorkerKnowsIsNullWithoutIt() throws {
        let view = FolderSummary(uri: try ItemURI("file:///a"), FolderStatus(state: .idle))
        for key in ["conflicts", "errors", "counts", "transfers", "bytes_done", "last_synced"] {
            #expect(view.json.text.contains("\"\(key)\":null"), "\(key)")
        }
    }

    @Test func aTerminalShowsTheTransfersUnderWayFirstAndCountsTheRest() throws {
        var status = StatusTests.status("/a", state: "syncing")
        status.transfers = (0..<20).map { index in
            .init(uri: "file:///a/x\(index)", direction: .upload, bytesDone: index == 19 ? 5 : 0, bytesTotal: 10)
        }
        let terminal = Terminal(isInteractive: true, hasColour: false, hasUnicode: true, columns: 80)
        let lines = try #require(FolderSummary(status)).lines(on: terminal)
        #expect(lines.filter { $0.contains("↑") }.count == 8)
        #expect(lines.first { $0.contains("↑") }?.hasSuffix("x19") == true)
        #expect(lines.last == "  and 12 more")
    }

    @Test(arguments: [
        ("webdav+https://me@cloud.example.org/remote.php/dav/files/me/My%20Docs/", "My Docs on cloud.example.org"),
        ("rclone:drive:a", "a on drive"), ("file:///r", "/r"),
    ])
    func aTerminalSaysTheRemoteInWordsAndProgramsGetItsAddress(remote: String, words: String) throws {
        var status = StatusTests.status("/a", state: "synced")
        status.remote = remote
        let terminal = Terminal(isInteractive: true, hasColour: false, hasUnicode: true, columns: 80)
        let view = try #require(FolderSummary(status))
        #expect(view.lines(on: terminal).first?.hasSuffix("/a → \(words)") == true)
        let address = JSON.string(remote).text
        #expect(view.json.text.contains(#""remote":\#(address)"#))
        let folder = SyncedFolder(id: "1", uri: "file:///a", remote: remote, label: "a", state: "synced")
        #expect(ListCommand.table([folder], on: terminal).lines(on: terminal).first?.contains(words) == true)
        let plain = ListCommand.table([folder], on: .plain).lines(on: .plain).first ?? ""
        #expect(plain.contains(WorkerPath.shown(remote, on: .plain)))
    }

    @Test func aTerminalShowsHowFastItGoesAndHowLongItTakes() throws {
        var status = StatusTests.status("/a", state: "syncing")
        let terminal = Terminal(isInteractive: true, hasColour: false, hasUnicode: true, columns: 80)
        let start = try #require(FolderSummary(status)).lines(on: terminal)
        #expect(start.contains { $0.hasSuffix("500 bytes of 1.0 kB") })
        status.rate = 4_000
        let moving = try #require(SyncFolderStatus(status.map).flatMap { FolderSummary($0) })
        #expect(moving.lines(on: terminal).contains { $0.hasSuffix("500 bytes of 1.0 kB, 4.0 kB/s") })
        status.remaining = 200
        let timed = try #require(SyncFolderStatus(status.map).flatMap { FolderSummary($0) })
        #expect(timed.lines(on: terminal).contains { $0.hasSuffix(", 4.0 kB/s, about 3 minutes left") })
        #expect(timed.json.text.contains(#""rate":4000,"remaining":200,"#))
    }

    @Test func jsonKeysAreStable() throws {
        var status = StatusTests.status("/a", state: "syncing")
        status.counts = ["conflict": 2, "error": 1]
        status.lastSynced = 0
        status.transfers = [.init(uri: "file:///a/x", direction: .upload, bytesDone: 1, bytesTotal: 2)]
        let report = StatusReport([try #require(FolderSummary(status))], isWatching: true)
        #expect(
            report.json.text
                == #"{"state":"syncing","watching":true,"folders":[{"uri":"file:///a","path":"/a","id":"1","#
                + #""label":"a","remote":"file:///r","state":"syncing","text":"Uploading","paused_until":null,"#
                + #""progress":50,"bytes_done":500,"bytes_total":1000,"rate":null,"remaining":null,"items_total":0,"conflicts":2,"errors":1,"#
                + #""counts":{"conflict":2,"error":1},"last_synced":"1970-01-01T00:00:00Z","#
                + #""looked_through":null,"rescan_interval":null,"message":null,"needs":null,"#
                + #""pending_deletes":null,"on_demand":false,"files_here":null,"bytes_here":null,"files_online":null,"#
                + #""bytes_online":null,"transfers":[{"uri":"file:///a/x","path":"/a/x","direction":"upload","#
                + #""bytes_done":1,"bytes_total":2}]}],"worker_error":null}"#)
    }

    @Test func aRunReportsWhatItDidAndConflictsNeedTheUser() {
        var result = SyncRunResult()
        result.uploaded = 3
        result.state = "synced"
        #expect(
            result.json.text == #"{"uploaded":3,"downloaded":0,"moved":0,"deleted_local":0,"deleted_remote":0,"#
                + #""conflicts":0,"errors":0,"state":"synced"}"#)
        #expect(result.exitStatus == .done)
        #expect(result.lines(on: .plain) == ["Synced: 3 uploaded."])
        // A dry run has steps, also where they are none.
        result.steps = []
        #expect(result.json.text.hasSuffix(#""state":"synced","steps":[]}"#))
        result.conflicts = 1
        #expect(result.exitStatus == .needsUser)
    }

    @Test func aRunThatChangedPermissionsAloneDidSomething() {
        var result = SyncRunResult()
        result.permissions = 2
        result.state = .synced
        #expect(SyncRunResult(result.map) == result)
        #expect(result.json.text.contains(#""permissions":2"#))
        #expect(result.lines(on: .plain) == ["Synced: permissions of 2 items changed."])
    }

    @Test(arguments: [
        ("synced", "Synced: nothing to do."), ("error", "Nothing was synced. See: roundel status"),
        ("paused", "Nothing was synced: syncing is paused."),
    ])
    func aRunThatCouldNotBeIsNotOneThatFoundNothing(state: String, line: String) {
        var result = SyncRunResult()
        result.state = Badge(state)
        #expect(result.lines(on: .plain) == [line])
    }
}
