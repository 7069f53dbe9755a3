import SyncCore
import SyncEngine

/// A file that is being read from a server.
final class ServerSource: ContentSource {
    private let view: ServerView
    private let path: RelativePath
    private let expected: Version
    private let contents: DAVContents
    /// Whether the server's answer stays one version of the file to its end.
    private let answers: Bool

    /// Begins to read a file, if it is the expected version.
    init(at path: RelativePath, _ expected: Version, of view: ServerView) async throws(EffectFailure) {
        self.path = path
        self.expected = expected
        self.view = view
        let tag = view.versions.entityTag(of: expected)
        do throws(DAVFailure) {
            contents = try await view.client.open(path, expecting: tag)
            if let length = contents.reply.length, length != expected.size { throw DAVFailure(.conditionFailed) }
        } catch {
            throw view.failure(error, at: path)
        }
        // Where the answer names no version, another one may have taken its place since.
        answers = tag != nil && contents.reply.entityTag != nil && view.traits.writesAtOnce
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
            throw view.failure(error, at: path)
        }
    }

    func finish() async throws(EffectFailure) -> Version {
        if answers && !expected.isRacy { return expected }
        guard let found = try await view.look(path), found.kind == .file, found.version.isSame(as: expected) else {
            throw view.changed(path)
        }
        return found.version
    }
}
