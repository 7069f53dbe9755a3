import SyncCore
import SyncEngine

/// A file that is being read from a server.
final class ServerSource: ContentSource {
    private let remote: WebDAVRemote
    private let path: RelativePath
    private let expected: Version
    private let contents: DAVContents
    private let answers: Bool

    /// - Parameter answers: Whether the server's answer stays one version of the file to its end.
    init(_ contents: DAVContents, at path: RelativePath, _ expected: Version, of remote: WebDAVRemote, answers: Bool) {
        self.contents = contents
        self.path = path
        self.expected = expected
        self.remote = remote
        self.answers = answers
    }

    var size: Int64 { expected.size }
    var stored: Int64 { expected.size }
    var modified: Int64 { expected.modified }
    var permissions: Permissions? { nil }

    func settle() async {
        guard expected.isRacy else { return }
        // Ended early, the version is racy once more and looked at again.
        try? await Task.sleep(for: ServerVersions.settling, clock: .continuous)
    }

    func linked() async -> LinkedFile? { nil }

    func passHole() async throws(EffectFailure) -> Int64 { 0 }

    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
        do throws(DAVFailure) {
            return try await contents.read(into: buffer)
        } catch {
            throw remote.failure(error, at: path)
        }
    }

    func finish() async throws(EffectFailure) -> Version {
        if answers && !expected.isRacy { return expected }
        guard let found = try await remote.look(path), found.kind == .file, found.version.isSame(as: expected) else {
            throw remote.changed(path)
        }
        return found.version
    }
}
