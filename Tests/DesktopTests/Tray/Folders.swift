import BadgeService
import RoundelBus
import Testing

/// A folder of the test's provider in the home of a person.
func folder(
    _ name: String, _ state: FolderState, _ text: String = "", progress: UInt8 = 255, label: String = ""
) throws -> HostedFolder {
    HostedFolder(
        folder: try ItemURI("file:///home/ann/\(name)"), provider: try #require(ProviderID("sample")), label: label,
        status: FolderStatus(state: state, text: text, progress: progress))
}
