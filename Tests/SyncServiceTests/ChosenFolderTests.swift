import DBus
import RoundelBus
import TestSupport
import Testing

@testable import SyncService

/// A worker with folders of which a part is chosen, or whose directories are made.
@Suite(.serialized) struct ChosenFolderTests {
    private func sync(_ bench: WorkerBench, _ id: DBusValue) throws {
        try bench.call("Sync", id, options: ["wait": .bool(true)])
    }

    private func add(_ bench: WorkerBench, _ options: VariantMap) throws -> DBusValue {
        let all = options.merging(["start": .bool(false)]) { $1 }
        return .string(
            try bench.call("AddFolder", bench.uri("Cloud"), bench.path("Remote"), options: all).first?.string ?? "")
    }

    /// The items of a directory, without Roundel's own.
    private func names(_ bench: WorkerBench, _ directory: String) throws -> [String] {
        try bench.files.names(in: directory).filter { $0 != ".roundel" }.sorted()
    }

    @Test("Only what was chosen comes here and goes there; nothing else is touched, then or later")
    func only() throws {
        let bench = try WorkerBench()
        for name in ["Photos/a", "Docs/b", "top"] { try bench.files.write("there", to: "Remote/\(name)") }
        for name in ["Notes/n", "mine"] { try bench.files.write("here", to: "Cloud/\(name)") }
        try bench.files.write("both", to: "Cloud/Docs/b")
        let id = try add(bench, ["only": .strings(["Photos"])])
        try sync(bench, id)
        #expect(try names(bench, "Cloud") == ["Docs", "Notes", "Photos", "mine"])
        #expect(try names(bench, "Remote") == ["Docs", "Photos", "top"])
        #expect(try bench.files.read("Cloud/Photos/a") == "there" && bench.files.read("Cloud/Docs/b") == "both")

        try bench.files.write("new", to: "Remote/Music/m")
        try bench.files.write("new", to: "Cloud/Photos/p")
        try bench.files.remove("Remote/top")
        try sync(bench, id)
        #expect(try names(bench, "Cloud") == ["Docs", "Notes", "Photos", "mine"])
        #expect(try names(bench, "Remote/Photos") == ["a", "p"])
        #expect(try bench.files.read("Remote/Docs/b") == "there")

        // The choice is changed by patterns; what is left again stays on both sides.
        try bench.call("AddExcludes", id, .strings(["!/Music/"]))
        try sync(bench, id)
        #expect(try bench.files.read("Cloud/Music/m") == "new")
        try bench.call("RemoveExcludes", id, .strings(["!/Music/"]))
        try sync(bench, id)
        #expect(try bench.files.read("Cloud/Music/m") == "new" && bench.files.read("Remote/Music/m") == "new")
        try bench.stop()
    }

    @Test("Directories that are missing are made, on both sides, and no others")
    func create() throws {
        let bench = try WorkerBench()
        #expect(bench.refusal("AddFolder", bench.uri("new/Cloud"), bench.path("far/off/Remote")) == "NotADirectory")
        let id = DBusValue.string(
            try bench.call(
                "AddFolder", bench.uri("new/Cloud"), bench.path("far/off/Remote"),
                options: ["create": .bool(true), "start": .bool(false)]
            ).first?.string ?? "")
        try bench.files.write("x", to: "new/Cloud/x")
        try sync(bench, id)
        #expect(try bench.files.read("far/off/Remote/x") == "x")
        #expect(try bench.files.names(in: "new") == ["Cloud"] && bench.files.names(in: "far") == ["off"])
        try bench.stop()
    }

    @Test("What is refused leaves no directory behind")
    func refusedCreation() throws {
        let bench = try WorkerBench()
        _ = try bench.addFolder()
        let create: VariantMap = ["create": .bool(true)]
        try bench.files.write("", to: "file")
        // Beside the directories of the worker's own.
        func names() throws -> [String] {
            try bench.files.names().filter { !["config", "data", "home", "state"].contains($0) }
        }
        let before = try names()
        #expect(
            bench.refusal("AddFolder", bench.uri("Cloud/deep/er"), bench.path("Other"), options: create)
                == "FolderTaken")
        #expect(
            bench.refusal("AddFolder", bench.uri("a/b"), bench.path("Remote/x"), options: create) == "InvalidRemote")
        #expect(bench.refusal("AddFolder", bench.uri("a/b"), bench.path("a"), options: create) == "InvalidRemote")
        #expect(bench.refusal("AddFolder", bench.uri("a/b"), bench.path("file/x"), options: create) != nil)
        #expect(bench.refusal("AddFolder", bench.uri("file"), bench.path("Other"), options: create) == "NotADirectory")
        // A server that does not answer, after the directory was made.
        #expect(
            bench.refusal("AddFolder", bench.uri("a/b"), .string("webdav+http://127.0.0.1:1/"), options: create)
                == "Failed")
        let after = try names()
        #expect(after == before)
        #expect(try !bench.files.names(in: "Cloud").contains("deep"))
        try bench.stop()
    }

    @Test("A link in the path of a directory that is to be made does not hide whose it is")
    func throughLinks() throws {
        let bench = try WorkerBench()
        _ = try bench.addFolder()
        try bench.files.makeLink("link", to: "Cloud")
        #expect(
            bench.refusal(
                "AddFolder", bench.uri("link/new"), bench.path("Other"), options: ["create": .bool(true)])
                == "FolderTaken")
        #expect(try !bench.files.names(in: "Cloud").contains("new"))
        try bench.stop()
    }

    @Test(arguments: [["../x"], ["a//b"], Array(repeating: "a", count: 1_001)])
    func hostileChoices(only: [String]) throws {
        let bench = try WorkerBench()
        for name in ["Cloud", "Remote"] { try bench.files.makeDirectory(name) }
        let refusal = bench.refusal(
            "AddFolder", bench.uri("Cloud"), bench.path("Remote"), options: ["only": .strings(only)])
        #expect(refusal == (only.count > 1 ? "LimitExceeded" : "InvalidPattern"))
        #expect(try bench.listed().isEmpty)
        try bench.stop()
    }
}
