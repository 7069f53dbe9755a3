import Glibc
import RoundelBus
import Support
import SystemPackage
import TestSupport
import Testing

@testable import Client
@testable import WindowModel

@Suite struct RememberedFoldersTests {
    @Test("What the window shows is shown again when it opens, with its age, and can be read by its owner alone")
    func remembering() throws {
        let directory = try TemporaryDirectory()
        let memory = RememberedFolders(state: directory.path)
        #expect(memory.read() == nil)
        let folders = [
            FolderSummary(
                FoldersPageTests.status("/a", .error) {
                    ($0.label, $0.remote) = ("Äpfel", "/srv/b")
                    ($0.needs, $0.pendingDeletes) = (WireWord(.confirmDeletes), 7)
                }), FolderSummary(uri: try ItemURI("file:///b"), FolderStatus(state: .paused, text: "Off")),
        ]
        let report = StatusReport(folders.compactMap(\.self))
        try memory.write(report, at: 5)
        let read = try #require(memory.read())
        #expect(read.origin == .remembered(5))
        #expect(read.report.folders.map { FolderRow($0) } == report.folders.map { FolderRow($0) })
        var facts = stat()
        #expect(stat(directory("roundel/window/folders.json").string, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }

    @Test func aFileThatIsNotOursIsNotUsed() throws {
        #expect(JSON(parsing: Array("[]".utf8)).flatMap { RememberedFolders.knowledge($0) } == nil)
        let json = try #require(JSON(parsing: Array(#"{"time":1,"folders":[{"uri":"x","state":"a"},7]}"#.utf8)))
        #expect(RememberedFolders.knowledge(json)?.report.folders.isEmpty == true)
    }
}
