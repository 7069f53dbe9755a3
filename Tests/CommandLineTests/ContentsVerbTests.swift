import DBus
import Glibc
import RoundelBus
import StandInServices
import SystemPackage
import TestSupport
import Testing

@testable import roundel

/// The verbs for where contents are, with a worker that the test plays. One after the other, because each waits for a
/// program.
@Suite("fetch, free, pin, on-demand and problems", .serialized) struct ContentsVerbTests {
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

    static func result(_ files: UInt64, _ bytes: UInt64, failed: [ItemMessage] = []) -> StandInWorker.Answer {
        var result = SyncContentsResult()
        (result.files, result.bytes, result.failed, result.items) = (files, bytes, UInt64(failed.count), failed)
        return .values([.map(result.map)])
    }

    func status(isOnDemand: Bool) -> DBusValue {
        var status = SyncFolderStatus(id: "f1", uri: "\(here)/Cloud", state: .synced)
        status.isOnDemand = isOnDemand
        if isOnDemand {
            (status.filesHere, status.bytesHere) = (12, 2_100_000_000)
            (status.filesOnline, status.bytesOnline) = (4_012, 180_000_000_000)
        }
        return .maps([status.map])
    }

    // MARK: Fetching and freeing

    @Test("D3: fetch names its items in one call and says what came")
    func fetch() async throws {
        let worker = try await StandInWorker(on: bus, ["Fetch": Self.result(3, 2_100_000_000)])
        let run = try roundel("fetch", "Cloud/a b", "Cloud/d")
        #expect(run.status == 0 && run.output == "3 files were downloaded (2.1 GB).\n", "\(run)")
        #expect(worker.calls == [[.string("Fetch"), .strings(["\(here)/Cloud/a%20b", "\(here)/Cloud/d"]), .map([:])]])
        worker.answer("Fetch", Self.result(0, 0))
        #expect(try roundel("fetch", "Cloud").output == "Everything is on this computer already.\n")
        let json = try roundel("fetch", "Cloud", "--json")
        #expect(json.output == #"{"files":0,"bytes":0,"failed":0,"items":[]}"# + "\n")
    }

    @Test("D5: what is not freed is named with its reason, and the exit status says that something is left")
    func free() async throws {
        let failed = ItemMessage(uri: "\(here)/Cloud/open", message: "“open” is open in a program.")
        let worker = try await StandInWorker(on: bus, ["Free": Self.result(1, 5_000, failed: [failed])])
        let run = try roundel("free", "Cloud")
        #expect(run.status == 2)
        #expect(
            run.output == """
                \(directory.path)/Cloud/open  “open” is open in a program.
                1 file was freed (5.0 kB).
                1 item was not freed.

                """)
        let json = try roundel("free", "Cloud", "--json")
        #expect(
            json.status == 2
                && json.output == #"{"files":1,"bytes":5000,"failed":1,"items":[{"uri":"\#(here)/Cloud/open","#
                    + #""path":"\#(directory.path)/Cloud/open","message":"“open” is open in a program."}]}"# + "\n"
        )
        worker.answer("Free", .error("Pinned", "“x” is always kept on this computer, so it was not freed."))
        let refused = try roundel("free", "Cloud/x")
        #expect(refused.status == 1)
        #expect(refused.errors == "roundel: “x” is always kept on this computer, so it was not freed.\n")
    }

    @Test("A terminal shows how far a fetch is and why it waits, and Ctrl-C gives it up")
    func progress() async throws {
        let worker = try await StandInWorker(on: bus, ["Fetch": .silence])
        let terminal = try PseudoTerminal()
        let variables = ["TERM": "xterm", "LC_ALL": "C.UTF-8"].merging(bus.environment) { $1 }
        let program = try terminal.start(["fetch", "/d/Cloud"], environment: variables)
        try await eventually("the fetch begins") { !worker.calls.isEmpty }
        var progress = SyncContentsProgress()
        (progress.files, progress.filesTotal) = (1, 3)
        (progress.bytes, progress.bytesTotal) = (400_000_000, 800_000_000)
        progress.message = "The server is busy."
        try await worker.emit("ContentsProgress", [.map(progress.map)])
        let shown = try terminal.shown(until: "The server is busy.")
        #expect(shown.contains("50 %  Downloading: 1 of 3 files, 400 MB of 800 MB"))
        terminal.type("\u{3}")
        _ = try program.finish()
        withExtendedLifetime(worker) {}
    }

    // MARK: Pinning

    @Test("D5: pin and unpin say it for all items at once")
    func pin() async throws {
        let worker = try await StandInWorker(on: bus, [:])
        #expect(try roundel("pin", "a", "b").output == "2 items are always kept on this computer now.\n")
        #expect(worker.calls.last == [.string("Pin"), .strings(["\(here)/a", "\(here)/b"]), .map([:])])
        let json = try roundel("unpin", "a", "--json")
        #expect(
            json.output
                == #"{"pinned":false,"items":[{"uri":"\#(here)/a","path":"\#(directory.path)/a"}]}"# + "\n")
        #expect(worker.calls.last == [.string("Unpin"), .strings(["\(here)/a"]), .map([:])])
        worker.answer("Pin", .error("NotOnDemand", "“a” is in a folder that is not on demand."))
        let refused = try roundel("pin", "a")
        #expect(refused.status == 1 && refused.output.isEmpty && refused.errors.contains("not on demand"))
    }

    // MARK: Folders

    @Test("A folder is turned into one on demand, and its rule is set")
    func turnOn() async throws {
        var rule = SyncFreeingRule()
        rule.freeUnused = 30 * 86_400
        let worker = try await StandInWorker(
            on: bus,
            [
                "Status": .inTurn([
                    .values([status(isOnDemand: false)]), .values([status(isOnDemand: true)]),
                ]), "Rule": .values([.map(rule.map)]),
            ])
        let run = try roundel("on-demand", "Cloud", "--free-below", "20G")
        #expect(run.status == 0, "\(run.errors)")
        rule.freeBelow = 20_000_000_000
        let members = ["Status", "SetOnDemand", "Rule", "SetRule", "Rule", "Status"]
        #expect(worker.calls.map { $0[0] } == members.map { .string($0) })
        #expect(worker.calls[1] == [.string("SetOnDemand"), .string("f1"), .bool(true), .map([:])])
        #expect(worker.calls[3] == [.string("SetRule"), .string("f1"), .map(rule.map), .map([:])])
    }

    @Test("A folder that is on demand is shown with what is here and its rule, and nothing is changed")
    func show() async throws {
        let worker = try await StandInWorker(
            on: bus, ["Status": .values([status(isOnDemand: true)]), "Rule": .values([.map(SyncFreeingRule().map)])])
        let shown = try roundel("on-demand", "Cloud")
        #expect(
            shown.output == """
                \(directory.path)/Cloud is on demand: 2.1 GB here, 180 GB online.
                Nothing is freed by itself. To change that: roundel on-demand \(directory.path)/Cloud --free-below 20G

                """)
        #expect(worker.calls.map { $0[0] } == [.string("Status"), .string("Rule"), .string("Status")])
        let json = try roundel("on-demand", "Cloud", "--json")
        #expect(
            json.output == #"{"uri":"\#(here)/Cloud","path":"\#(directory.path)/Cloud","on_demand":true,"#
                + #""files_here":12,"bytes_here":2100000000,"files_online":4012,"bytes_online":180000000000,"#
                + #""free_below":0,"free_unused":0}"# + "\n")
        let inside = try roundel("on-demand", "Cloud/x")
        #expect(inside.status == 1 && inside.errors.contains("is not a synced folder"))
    }

    @Test("With --off it becomes a plain folder, unless something cannot be fetched")
    func turnOff() async throws {
        let worker = try await StandInWorker(
            on: bus,
            ["Status": .inTurn([.values([status(isOnDemand: true)]), .values([status(isOnDemand: false)])])])
        let run = try roundel("on-demand", "Cloud", "--off")
        #expect(run.output == "\(directory.path)/Cloud is not on demand: all its files are on this computer.\n")
        #expect(worker.calls[1] == [.string("SetOnDemand"), .string("f1"), .bool(false), .map([:])])
        worker.answer("Status", .values([status(isOnDemand: true)]))
        worker.answer("SetOnDemand", .error("Failed", "180 GB do not fit: 20 GB are free."))
        let refused = try roundel("on-demand", "Cloud", "--off")
        #expect(refused.status == 1 && refused.errors == "roundel: 180 GB do not fit: 20 GB are free.\n")
    }

    @Test("add --on-demand passes it on, and says what to install where FUSE is missing")
    func add() async throws {
        let worker = try await StandInWorker(on: bus, ["AddFolder": .values([.string("f1")])])
        #expect(try roundel("add", "Cloud", "/r", "--on-demand").status == 0)
        #expect(worker.calls.last?.last == .map(["on-demand": .bool(true)]))
        worker.answer("AddFolder", .error("NoFuse", "On-demand folders need fusermount3. Install: fuse3"))
        let refused = try roundel("add", "Cloud", "/r", "--on-demand")
        #expect(refused.status == 1)
        #expect(refused.errors == "roundel: On-demand folders need fusermount3. Install: fuse3 See: roundel doctor\n")
    }

    @Test("D11: add --upload-only passes it on, and is refused together with --on-demand")
    func addUploadOnly() async throws {
        let worker = try await StandInWorker(on: bus, ["AddFolder": .values([.string("f1")])])
        #expect(try roundel("add", "Cloud", "/r", "--upload-only", "--trash-uploaded").status == 0)
        #expect(worker.calls.last?.last == .map(["upload-only": .bool(true), "trash-uploaded": .bool(true)]))
        #expect(try roundel("add", "Cloud", "/r", "--upload-only", "--on-demand").status == 64)
        #expect(try roundel("add", "Cloud", "/r", "--trash-uploaded").status == 64)
        #expect(worker.calls.count == 2)
    }

    @Test("status and list say what is on demand")
    func statusAndList() async throws {
        var folder = SyncedFolder(id: "f1", uri: "\(here)/Cloud", remote: "file:///r", label: "", state: .synced)
        folder.isOnDemand = true
        let worker = try await StandInWorker(
            on: bus, ["Status": .values([status(isOnDemand: true)]), "ListFolders": .values([.maps([folder.map])])])
        #expect(try roundel("list").output == "synced  \(directory.path)/Cloud  ->  /r  on demand\n")
        try await eventually("the worker answers in time") {
            try roundel("status").output.contains("\n  2.1 GB here, 180 GB online\n")
        }
        withExtendedLifetime(worker) {}
    }

    // MARK: Removing

    @Test("remove asks before it removes what is on the remote only")
    func removal() async throws {
        let folder = SyncedFolder(id: "f1", uri: "file:///d/Cloud", remote: "file:///r", label: "a", state: "synced")
        let worker = try await StandInWorker(
            on: bus,
            [
                "ListFolders": .values([.maps([folder.map])]),
                "RemoveFolder": .error("PlaceholdersLeft", "2 files (5 kB) are on the remote only."),
            ])
        let refused = try roundel("remove", "/d/Cloud")
        #expect(refused.status == 1)
        #expect(
            refused.errors == "roundel: 2 files (5 kB) are on the remote only. To remove them from this computer: "
                + "roundel remove --drop-placeholders PATH\n")
        let terminal = try PseudoTerminal()
        let variables = ["TERM": "xterm", "LC_ALL": "C.UTF-8"].merging(bus.environment) { $1 }
        let refusing = try terminal.start(["remove", "/d/Cloud"], environment: variables)
        try terminal.shown(until: "2 files (5 kB) are on the remote only. Remove them from this computer? [y/N]")
        terminal.type("n\n")
        #expect(try refusing.finish().status == 1)
        #expect(worker.calls.last == [.string("RemoveFolder"), .string("file:///d/Cloud"), .map([:])])
        let second = try PseudoTerminal()
        let agreeing = try second.start(["remove", "/d/Cloud"], environment: variables)
        try second.shown(until: "[y/N]")
        worker.answer("RemoveFolder", .values([], more: ["dropped": .uint64(2), "dropped-bytes": .uint64(5_000)]))
        second.type("y\n")
        try second.shown(until: "2 files (5.0 kB) are on the remote only.")
        #expect(try agreeing.finish().status == 0)
        let agreed: VariantMap = ["drop-placeholders": .bool(true)]
        #expect(worker.calls.last == [.string("RemoveFolder"), .string("file:///d/Cloud"), .map(agreed)])
    }

    // MARK: Problems

    @Test("D14: problems are listed with their reasons")
    func problems() async throws {
        let worker = try await StandInWorker(on: bus, ["Problems": .values([.maps([])])])
        let none = try roundel("problems")
        #expect(none.status == 0 && none.output == "There are no problems.\n")
        #expect(worker.calls.last == [.string("Problems"), .string(""), .map(["limit": .uint32(1000)])])
        let waits = SyncProblem(
            folder: "f1", uri: "file:///d/b", state: .pending, message: "It is still being written.")
        worker.answer("Problems", .values([.maps([waits.map])]))
        #expect(try roundel("problems", "/d").status == 0)
        #expect(worker.calls.last?[1] == .string("file:///d"))
        let failed = SyncProblem(
            folder: "f1", uri: "file:///d/a%0A", state: .error, message: "No permission to write “a” on the remote.")
        worker.answer("Problems", .values([.maps([failed.map, waits.map])], more: ["more": .uint64(7)]))
        let some = try roundel("problems")
        #expect(some.status == 2)
        #expect(
            some.output == """
                error    /d/a\\n  No permission to write “a” on the remote.
                pending  /d/b    It is still being written.
                and 7 more

                """)
        let conflict = SyncProblem(
            folder: "f1", uri: "file:///d/a", state: .conflict, message: "It is in conflict with “b”.")
        worker.answer("Problems", .values([.maps([conflict.map, conflict.map])]))
        #expect(
            try roundel("problems").output == """
                conflict  /d/a  It is in conflict with “b”.
                conflict  /d/a  It is in conflict with “b”.
                Choose what to keep: roundel conflicts

                """)
        worker.answer("Problems", .values([.maps([failed.map, waits.map])], more: ["more": .uint64(7)]))
        let json = try roundel("problems", "--json")
        #expect(
            json.status == 2
                && json.output.hasPrefix(#"[{"uri":"file:///d/a%0A","path":"/d/a\n","folder":"f1","state":"error","#))
    }

    @Test("D9: why says the state of one item, its reason and what is here of it")
    func why() async throws {
        let host = try await StandInHost(on: bus, folder: "\(here)/Cloud")
        let item = "\(here)/Cloud/film"
        host.set(
            [
                "state": .string("online-only"), "contents": .string("online"), "bytes-here": .uint64(0),
                "bytes-online": .uint64(4_200_000_000), "files-here": .uint64(0), "files-online": .uint64(1),
                "pinned": .bool(true),
            ], of: item)
        let problem = SyncProblem(folder: "f1", uri: item, state: .pending, message: "The disk has no room for it.")
        let worker = try await StandInWorker(on: bus, ["Problems": .values([.maps([problem.map])])])
        let said = try roundel("why", "Cloud/film")
        #expect(said.status == 0)
        #expect(
            said.output == """
                \(directory.path)/Cloud/film: Online only
                  The disk has no room for it.
                  Its contents (4.2 GB) are on the remote only; they are downloaded when it is opened.
                  It is always kept on this computer.

                """)
        let json = try roundel("why", "Cloud/film", "--json")
        let path = "\(directory.path)/Cloud/film"
        #expect(json.output.hasPrefix(#"{"uri":"\#(item)","path":"\#(path)","attributes":{"state":"#))
        #expect(json.output.contains(#""contents":"online","bytes_here":0,"bytes_online":4200000000,"files_here":0,"#))
        #expect(json.output.contains(#""pinned":true}"#))
        for (state, command) in [
            ("excluded", "See: roundel exclude"), ("conflict", "To decide: roundel resolve \(path) mine|theirs|both"),
        ] {
            host.set(["state": .string(state)], of: item)
            #expect(
                try roundel("why", "Cloud/film").output.hasSuffix("  The disk has no room for it.\n  \(command)\n"))
        }
        let folder = "\(here)/Cloud"
        host.set(["state": .string("error"), "message": .string("The server wants you to log in.")], of: folder)
        var status = SyncFolderStatus(id: "f1", uri: folder, state: .error)
        (status.needs, status.message) = (.init(.login), "The server wants you to log in.")
        worker.answer("Problems", .values([.maps([])]))
        worker.answer("Status", .values([.maps([status.map])]))
        #expect(
            try roundel("why", "Cloud").output.hasSuffix(
                "  The server wants you to log in.\n  Log in: roundel login \(directory.path)/Cloud\n"))
        let outside = try roundel("why", "/elsewhere")
        #expect(outside.status == 1 && outside.errors.contains("is not in a synced folder"))
        withExtendedLifetime(worker) {}
    }

    @Test("ls asks for contents in a folder on demand alone")
    func listing() async throws {
        try directory.makeDirectory("Cloud")
        try directory.write("x", to: "Cloud/film")
        let host = try await StandInHost(on: bus, folder: "\(here)/Cloud")
        host.set(.init(badge: "synced"), of: "film", in: "\(here)/Cloud")
        #expect(try roundel("ls", "Cloud").output == "synced  1 byte  film\n")
        #expect(!host.asked.contains("GetAttributes \(here)/Cloud/film"))
        host.set(["contents": .string("online")], of: "\(here)/Cloud")
        host.set(["contents": .string("online"), "bytes-online": .uint64(1)], of: "\(here)/Cloud/film")
        #expect(try roundel("ls", "Cloud").output == "synced  1 byte  online  film\n")
    }
}
