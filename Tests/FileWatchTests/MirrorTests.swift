import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

/// The random tests are worth as much as the mirror that they compare with.
@Suite("The mirror of the random tests")
struct MirrorTests {
    @Test("a file that got the inode number of the directory it replaces is no directory")
    func reusedInodeNumber() throws {
        let temporary = try TemporaryDirectory()
        Disk.makeDirectories(temporary("root/parent/name/below"))
        let change = TreeChanges(folder: FolderID(rawValue: 1), items: ["parent/name"])
        // ext4 uses the number again at once, so most of the rounds meet it.
        for _ in 0..<20 {
            var mirror = Mirror(of: temporary("root"))
            removeTree(temporary("root/parent/name"))
            Disk.write(temporary("root/parent/name"))
            mirror.apply(change)
            #expect(mirror.differences(from: Mirror(of: temporary("root"))).isEmpty)
            Disk.remove(temporary("root/parent/name"))
            Disk.makeDirectory(temporary("root/parent/name"))
        }
    }
}
