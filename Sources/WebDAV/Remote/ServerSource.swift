import SyncCore
import SyncEngine

/// A file that is being read from a server.
///
/// A file whose transfer can be resumed is requested only when reading begins, because the caller may skip bytes
/// before.
final class ServerSource: ContentSource {
    /// The server's answer.
    private struct Answer {
        let contents: DAVContents
        /// Whether all of it certainly comes from one version of the file.
        let isOneVersion: Bool
    }

    let origin: TransferOrigin?
    private let view: ServerView
    private let path: RelativePath
    private let expected: Version
    /// The tag for requests of the expected version; nil if none can be used.
    private let tag: EntityTag?
    /// The bytes that the destination already has.
    private var start: Int64 = 0
    /// The bytes read so far.
    private var passed: Int64 = 0
    private var answer: Answer?

    /// Opens a file that should have the expected version.
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
        // If the sleep is cancelled early, the version is still racy and `finish` requests it again.
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

    /// Whether the destination already has the whole file.
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
            // If the response contains no tag, another version may have replaced the expected one.
            let isNamed = tag != nil && contents.reply.entityTag != nil
            let answer = Answer(contents: contents, isOneVersion: isNamed && view.traits.writesAtOnce)
            if let length = contents.reply.length, length != rest(of: answer) { throw DAVFailure(.conditionFailed) }
            return answer
        } catch {
            throw view.failure(error, at: path)
        }
    }

    /// How many bytes a response must contain.
    private func rest(of answer: Answer) -> Int64 { expected.size - answer.contents.start }

    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
        if isAllThere { return 0 }
        if answer == nil { _ = try await beginReading() }
        guard let answer else { return 0 }
        do throws(DAVFailure) {
            let count = try await answer.contents.read(into: buffer)
            passed += Int64(count)
            // A response without a length ends when its connection does, which may be too early or never.
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
