import SyncCore
import SyncEngine

/// A file that is being read from a server.
///
/// A large one is asked for when the first part of it is: whoever has some of it already says so before.
final class ServerSource: ContentSource {
    /// The server's answer.
    private struct Answer {
        let contents: DAVContents
        /// Whether it stays one version of the file to its end.
        let isOneVersion: Bool
    }

    let origin: TransferOrigin?
    private let view: ServerView
    private let path: RelativePath
    private let expected: Version
    /// What the server is told of the version that is meant; nil where it cannot be told.
    private let tag: EntityTag?
    /// Bytes that the destination has already.
    private var start: Int64 = 0
    /// Bytes that were read.
    private var passed: Int64 = 0
    private var answer: Answer?

    /// A file, if it is the expected version.
    init(at path: RelativePath, _ expected: Version, of view: ServerView) async throws(EffectFailure) {
        self.path = path
        self.expected = expected
        self.view = view
        tag = view.versions.entityTag(of: expected)
        let isResumed = view.traits.ranges && tag?.isWeak == false && expected.size >= TransferLedger.least
        origin = isResumed ? TransferOrigin(.remote, path, expected) : nil
        if origin == nil { answer = try await ask() }
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

    func skip(to start: Int64) { self.start = start }

    func beginReading() async throws(EffectFailure) -> Int64 {
        if isAllThere { return start }
        let answer = try await ask()
        self.answer = answer
        return answer.contents.start
    }

    /// Whether the destination lacks nothing.
    private var isAllThere: Bool { start > 0 && start == expected.size }

    private func ask() async throws(EffectFailure) -> Answer {
        do throws(DAVFailure) {
            let contents: DAVContents
            if start > 0, let tag {
                contents = try await view.client.goOn(path, from: start, expecting: tag)
            } else {
                contents = try await view.client.open(path, expecting: tag)
            }
            if let total = contents.reply.range?.total, total != expected.size { throw DAVFailure(.malformed) }
            // Where the answer names no version, another one may have taken its place since.
            let isNamed = tag != nil && contents.reply.entityTag != nil
            let answer = Answer(contents: contents, isOneVersion: isNamed && view.traits.writesAtOnce)
            if let length = contents.reply.length, length != rest(of: answer) { throw DAVFailure(.conditionFailed) }
            return answer
        } catch {
            throw view.failure(error, at: path)
        }
    }

    /// Bytes that an answer has to bring.
    private func rest(of answer: Answer) -> Int64 { expected.size - answer.contents.start }

    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
        if isAllThere { return 0 }
        if answer == nil { _ = try await beginReading() }
        guard let answer else { return 0 }
        do throws(DAVFailure) {
            let count = try await answer.contents.read(into: buffer)
            passed += Int64(count)
            // An answer without a length ends where its connection does, or never.
            let isRight = count > 0 ? passed <= rest(of: answer) : passed == rest(of: answer)
            if !isRight { throw DAVFailure(.malformed) }
            return count
        } catch {
            throw view.failure(error, at: path)
        }
    }

    func require(_ hash: ContentHash) throws(EffectFailure) {
        guard view.traits.keepsDigests, let told = expected.hash, told != hash else { return }
        throw EffectFailure(.io, Explanation(.wrongContents, .remote, "\(path)"))
    }

    func finish() async throws(EffectFailure) -> Version {
        if let answer, answer.isOneVersion, !expected.isRacy { return expected }
        guard let found = try await view.look(path), found.kind == .file, found.version.isSame(as: expected) else {
            throw view.changed(path)
        }
        return found.version
    }
}
