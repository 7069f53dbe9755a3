import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// Directories that their owner may not write to, and in which something changes nevertheless.
@Suite("Directories that are opened for a moment")
struct OpenedDirectoryTests {
    private let directory: TemporaryDirectory
    private let folder: LocalFolder

    init() throws {
        directory = try TemporaryDirectory()
        let state = directory.path.appending("state")
        try directory.write("a", to: "folder/closed/a")
        folder = LocalFolder(
            at: directory["folder"], stateDirectory: state, dataHome: directory["data"], owner: .constant("id"))
        _ = folder.root() as RootState
        try setMode(0o555)
    }

    private static let closed = RelativePath([.constant("closed")])

    private func setMode(_ mode: mode_t) throws {
        guard chmod(directory["folder/closed"].string, mode) == 0 else { throw Failure("chmod") }
    }

    private func mode() -> UInt32 {
        var status = stat()
        return stat(directory["folder/closed"].string, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("One is open while something is done in it, by however many, and is then as it was")
    func opened() async throws {
        let seen = try await folder.opening([Self.closed]) { () async throws(EffectFailure) in
            let inner = try await folder.opening([Self.closed]) { () async throws(EffectFailure) in mode() }
            return [inner, mode()]
        }
        #expect(seen == [0o755, 0o755] && mode() == 0o555)
    }

    @Test("One is closed again if that failed")
    func failed() async throws {
        await #expect(throws: EffectFailure.self) {
            try await folder.opening([Self.closed]) { () async throws(EffectFailure) in
                throw EffectFailure(.io, Explanation(.nothing))
            }
        }
        #expect(mode() == 0o555)
    }

    @Test("One that got another mode meanwhile keeps it, and one that is not there is no failure")
    func changed() async throws {
        try await folder.opening([Self.closed, .root.appending(.constant("gone"))]) { () async throws(EffectFailure) in
            _ = try? setMode(0o700)
        }
        #expect(mode() == 0o700)
    }
}
