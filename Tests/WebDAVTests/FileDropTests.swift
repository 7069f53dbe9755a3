import RemoteSupport
import SyncCore
import TestSupport
import Testing

@testable import WebDAV

/// A folder from which items are only uploaded, and a server that lets nobody look.
@Suite(.serialized)
struct FileDropTests {
    @Test("D11: where nothing can be listed or read, what is put in arrives, beside what others put there")
    func fileDrop() async throws {
        let server = try TestServer(.nextcloud)
        let client = try server.client()
        let control = try CloudControl(server)
        let traits = try await ServerProbe(client, in: try #require(EntryName("probe"))).run()
        _ = try await client.write(
            RelativePath([try #require(EntryName("letter"))]), length: 6, parts: OneBuffer("theirs"), if: .none)
        try control.set(#"{"file-drop": true}"#)
        let folder = try ServerFolder(client, traits: traits, isUploadOnly: true) { files in
            try files.write("mine", to: "letter")
            try files.write("one", to: "reports/one")
            try files.write(String(repeating: "large ", count: 400_000), to: "reports/large")
        }
        try await folder.syncAll()
        try folder.local.write("two", to: "reports/one")
        try await folder.syncAll()
        #expect(try await folder.syncAll() == RunSummary())
        try await folder.stop()
        let (here, there) = (try FileTree.read(folder.local.path), try FileTree.read(server.files))
        #expect(Set(here.keys) == ["letter", "reports/", "reports/one", "reports/large"])
        #expect(there["letter"] == "theirs" && there["reports/one"] == "two")
        #expect(there["reports/large"] == here["reports/large"])
        let beside = there.filter { $0.key.hasPrefix("letter (conflict ") }
        #expect(Array(beside.values) == ["mine"] && there.count == here.count + 1)
        await client.shutDown()
    }
}
