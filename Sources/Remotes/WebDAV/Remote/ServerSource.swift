import Remotes
import Support
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
    /// The next byte of the file that will be read.
    private var position: Int64 = 0
    private var answer: Answer?
    /// Responses that ended too early.
    private var cuts = Cuts()
    /// The checksum that the server tells of the file, other than the SHA-256.
    private var told: ContentDigest?
    /// What computes it, of each kind as long as it is not known which one is told.
    private var checks: [ChecksumCheck] = []

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

    func skip(to start: Int64) {
        self.start = start
        if start == 0 { checks = [] }
    }

    func add(skipped bytes: UnsafeRawBufferPointer) {
        if checks.isEmpty { checks = ChecksumHasher.Kind.allCases.compactMap { ChecksumCheck($0) } }
        for check in checks { check.update(bytes) }
    }

    func beginReading() async throws(EffectFailure) -> Int64 {
        if isAllThere {
            told = view.digests.digest(of: path, tag: expected.tag)
            return start
        }
        let answer = try await ask()
        self.answer = answer
        position = answer.contents.start
        return position
    }

    /// Whether the destination already has the whole file.
    private var isAllThere: Bool { start > 0 && start == expected.size }

    private func ask() async throws(EffectFailure) -> Answer {
        do throws(DAVFailure) {
            let contents = try await opened()
            try await prepareCheck(contents)
            return try checked(contents)
        } catch {
            throw view.failure(error, at: path)
        }
    }

    /// The contents from ``start`` on, or all of them.
    private func opened() async throws(DAVFailure) -> DAVContents {
        if start > 0, let tag, let rest = try await partOrAll(from: start, tag) { return rest }
        return try await view.client.open(path, expecting: tag)
    }

    /// The contents from a byte on, or all of them; nil if the server sends a part without the tag of its contents, which
    /// is of no use.
    private func partOrAll(from start: Int64, _ tag: EntityTag) async throws(DAVFailure) -> DAVContents? {
        do throws(DAVFailure) {
            return try await view.client.goOn(path, from: start, expecting: tag)
        } catch {
            guard error.reason == .malformed else { throw error }
            return nil
        }
    }

    /// A response, if its lengths are those of the expected version.
    private func checked(_ contents: DAVContents) throws(DAVFailure) -> Answer {
        if let total = contents.reply.range?.total, total != expected.size { throw DAVFailure(.malformed) }
        if let length = contents.reply.length, length != expected.size - contents.start {
            throw DAVFailure(.conditionFailed)
        }
        // If the response contains no tag, another version may have replaced the expected one.
        let isNamed = tag != nil && contents.reply.entityTag != nil
        return Answer(contents: contents, isOneVersion: isNamed && view.traits.writesAtOnce)
    }

    /// Prepares the check of the checksum that the server tells with the contents, or told in a listing.
    private func prepareCheck(_ contents: DAVContents) async throws(DAVFailure) {
        told = view.digests.digest(of: path, tag: expected.tag)
        // Checksums of a server that keeps them over a write say nothing.
        if told == nil, view.traits.keepsDigests || view.traits.tellsDigests { told = contents.reply.digest }
        if told == nil, view.digests.hasForgotten, try await view.entry(path)?.version.isSame(as: expected) == true {
            told = view.digests.digest(of: path, tag: expected.tag)
        }
        guard let kind = told?.kind else { return checks = [] }
        checks = contents.start > 0 ? checks.filter { $0.kind == kind } : ChecksumCheck(kind).map { [$0] } ?? []
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
        if isAllThere { return 0 }
        if answer == nil { _ = try await beginReading() }
        while let answer {
            do throws(DAVFailure) {
                let count = try await answer.contents.read(into: buffer)
                position += Int64(count)
                for check in checks { check.update(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                // A response without a length ends when its connection does, which may be too early or never.
                let isRight = count > 0 ? position <= expected.size : position == expected.size
                if !isRight { throw DAVFailure(position < expected.size ? .unreachable : .malformed) }
                return count
            } catch {
                try await goOn(after: error)
            }
        }
        return 0
    }

    /// Requests the rest of a file whose response ended too early, unless that happens again and again.
    private func goOn(after failure: DAVFailure) async throws(EffectFailure) {
        let isCut = position < expected.size && (failure.reason == .unreachable || failure.reason == .malformed)
        guard isCut else { throw view.failure(failure, at: path) }
        // Two versions that were written in quick succession may have the same tag.
        if expected.isRacy { throw EffectFailure(.changed, Explanation(.abandoned)) }
        guard let pause = cuts.note(at: position) else {
            throw EffectFailure(.putOff, Explanation(ServerCode.cutOff, .remote, "\(path)"))
        }
        do { try await Task.sleep(for: pause) } catch { throw view.failure(DAVFailure(error), at: path) }
        do throws(DAVFailure) {
            let next = try checked(try await rest())
            answer = Answer(
                contents: next.contents, isOneVersion: next.isOneVersion && answer?.isOneVersion == true)
        } catch {
            throw view.failure(error, at: path)
        }
    }

    /// The contents from ``position`` on, in a new response.
    private func rest() async throws(DAVFailure) -> DAVContents {
        if view.traits.ranges, position > 0, let tag, let part = try await partOrAll(from: position, tag) {
            return part.start == position ? part : try await skipped(part)
        }
        return try await skipped(try await view.client.open(path, expecting: tag))
    }

    /// The contents after those that were read before.
    private func skipped(_ contents: DAVContents) async throws(DAVFailure) -> DAVContents {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var rest = position - contents.start
        while rest > 0 {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(rest, Int64(buffer.count)))])
            let count = try await contents.read(into: part)
            if count == 0 { throw DAVFailure(.malformed) }
            rest -= Int64(count)
        }
        return contents
    }

    func require(_ hash: ContentHash) throws(EffectFailure) {
        let isTold = view.traits.keepsDigests ? expected.hash.map { $0 == hash } ?? true : true
        let isRight = checks.allSatisfy { check in
            told.map { $0.kind != check.kind || check.finish() == $0.bytes } ?? true
        }
        if !isTold || !isRight { throw EffectFailure(.io, Explanation(.wrongContents, .remote, "\(path)")) }
        view.digests.forget(path)
    }

    func finish() async throws(EffectFailure) -> Version {
        if let answer, answer.isOneVersion, !expected.isRacy { return expected }
        guard let found = try await view.look(path), found.kind == .file, found.version.isSame(as: expected) else {
            throw view.changed(path)
        }
        return found.version
    }
}

/// A checksum of a file that is computed as it is read.
private final class ChecksumCheck {
    let kind: ChecksumHasher.Kind
    private var hasher: ChecksumHasher?

    init?(_ kind: ChecksumHasher.Kind) {
        self.kind = kind
        guard let hasher = ChecksumHasher(kind) else { return nil }
        self.hasher = consume hasher
    }

    func update(_ bytes: UnsafeRawBufferPointer) { hasher?.update(bytes) }

    /// The checksum of everything that was read; nil if it was requested before.
    func finish() -> [UInt8]? { hasher.take()?.finish() }
}

/// How often the response with a file's contents ended too early.
private struct Cuts {
    /// The most in a row without a further byte, and altogether.
    private static let (most, mostOfAll) = (4, 64)

    private var last: Int64 = -1
    private var inARow = 0
    private var all = 0

    /// Notes another one; returns how long to wait before the next request, or nil if it should not be made.
    mutating func note(at position: Int64) -> Duration? {
        inARow = position > last ? 0 : inARow + 1
        last = position
        all += 1
        return inARow < Self.most && all < Self.mostOfAll ? Patience.Server.cut * (1 << inARow) : nil
    }
}
