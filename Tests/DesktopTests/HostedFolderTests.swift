import BadgeService
import RoundelBus
import Testing

@Suite("What people call a folder")
struct HostedFolderTests {
    @Test("The label that the provider gave, else the folder's own name, decoded")
    func displayName() throws {
        let provider = try #require(ProviderID("sample"))
        let folder = try ItemURI("file:///home/ann/Caf%C3%A9%20Notes")
        #expect(HostedFolder(folder: folder, provider: provider, label: "Notes").displayName == "Notes")
        #expect(HostedFolder(folder: folder, provider: provider).displayName == "Café Notes")
        #expect(HostedFolder(folder: .root, provider: provider).displayName == "/")
    }
}
