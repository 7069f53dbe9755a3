import DBus
import RoundelBus
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

@Suite("Roundel's own settings and state are never synced")
struct OwnPlaceTests {
    @Test(
        "A home is synced without them, and what another computer left of its own is not taken",
        arguments: [false, true])
    func home(isLinked: Bool) throws {
        let files = try TemporaryDirectory()
        // Of the other computer, and of an earlier version there.
        for name in ["config/roundel/folders.json", "dots/roundel/folders.json", "state/roundel/providers"] {
            try files.write("not this computer's", to: "Remote/\(name)")
        }
        try files.write("theirs", to: "Remote/config/theirs")
        try files.makeDirectory("Cloud/config")
        try files.makeDirectory("Cloud/dots/roundel")
        if isLinked { try files.makeLink("Cloud/config/roundel", to: "Cloud/dots/roundel") }
        try files.write("mine", to: "Cloud/config/mine")
        let bench = try WorkerBench(files: files, below: "Cloud/")
        let id = DBusValue.string(try bench.addFolder())
        try bench.call("AddExcludes", id, .strings(["!folders.json", "!/config/roundel/", "!roundel/"]))
        for _ in 0..<3 { try bench.call("Sync", id, options: ["wait": .bool(true)]) }
        #expect(try files.read("Remote/config/mine") == "mine" && files.read("Cloud/config/theirs") == "theirs")
        #expect(try files.read("Cloud/config/roundel/folders.json").contains("Remote"))
        #expect(try files.read("Remote/config/roundel/folders.json") == "not this computer's")
        #expect(try files.read("Remote/state/roundel/providers") == "not this computer's")
        #expect(!files.exists("Cloud/state/roundel/providers") && !files.exists("Remote/state/roundel/worker"))
        if isLinked { #expect(try files.read("Remote/dots/roundel/folders.json") == "not this computer's") }
        try bench.stop()
    }

    @Test("A folder or a remote in them is refused")
    func inside() throws {
        let bench = try WorkerBench()
        try bench.files.makeDirectory("Remote")
        for name in ["config/roundel", "config/roundel/more", "state/roundel/worker/x"] {
            try bench.files.makeDirectory(name)
            #expect(bench.refusal("AddFolder", bench.uri(name), bench.path("Remote")) == "FolderTaken", "\(name)")
        }
        try bench.files.makeDirectory("Cloud")
        #expect(bench.refusal("AddFolder", bench.uri("Cloud"), bench.path("config/roundel")) == "FolderTaken")
        try bench.stop()
    }
}
