import DBus
import RoundelBus
import TestSupport
import Testing

@testable import SyncService

/// A worker with a folder from which items are only uploaded to a directory.
@Suite struct UploadOnlyFolderTests {
    private func add(_ bench: WorkerBench, _ options: VariantMap = [:]) throws -> DBusValue {
        for name in ["Cloud", "Remote"] { try bench.files.makeDirectory(name) }
        let all = options.merging(["upload-only": .bool(true), "start": .bool(false)]) { $1 }
        let id = try bench.call("AddFolder", bench.uri("Cloud"), bench.path("Remote"), options: all).first?.string ?? ""
        return .string(id)
    }

    private func sync(_ bench: WorkerBench, _ id: DBusValue) throws {
        try bench.call("Sync", id, options: ["wait": .bool(true)])
    }

    /// The files of a directory, by name, without Roundel's own.
    private func names(_ bench: WorkerBench, _ directory: String) throws -> [String] {
        try bench.files.names(in: directory).filter { $0 != ".roundel" }.sorted()
    }

    @Test("D11: what is put in goes up, nothing comes from there, and a restart changes nothing")
    func uploads() throws {
        var bench = try WorkerBench()
        try bench.files.makeDirectory("Remote")
        try bench.files.write("theirs", to: "Remote/letter")
        let id = try add(bench)
        try bench.files.write("mine", to: "Cloud/letter")
        try bench.files.write("one", to: "Cloud/report")
        try sync(bench, id)
        #expect(try names(bench, "Cloud") == ["letter", "report"])
        #expect(try bench.files.read("Remote/letter") == "theirs" && bench.files.read("Remote/report") == "one")
        #expect(try names(bench, "Remote").count == 3)
        let status = try bench.call("Status", id).first?.maps?.first
        #expect(status?.string("text")?.contains("p to date") == false)
        let listed = try bench.call("ListFolders").first?.maps?.first
        #expect(listed?.bool("upload-only") == true)
        #expect(bench.refusal("Verify", bench.uri("Cloud")) != nil)
        try bench.stop()

        bench = try WorkerBench(files: bench.files)
        try bench.files.remove("Remote/report")
        try bench.files.write("two", to: "Cloud/letter")
        try sync(bench, id)
        #expect(try names(bench, "Cloud") == ["letter", "report"])
        let there = try names(bench, "Remote")
        #expect(there.count == 2 && there.first == "letter")
        #expect(try there.map { try bench.files.read("Remote/\($0)") } == ["theirs", "two"])
        try bench.stop()
    }

    @Test("D11: with that choice what was uploaded goes to the trash")
    func trashes() throws {
        let bench = try WorkerBench()
        let id = try add(bench, ["trash-uploaded": .bool(true)])
        try bench.files.write("one", to: "Cloud/d/report")
        try sync(bench, id)
        #expect(try bench.files.read("Remote/d/report") == "one")
        #expect(try names(bench, "Cloud/d").isEmpty)
        try bench.stop()
    }
}
