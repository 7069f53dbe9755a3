import Support
import SyncCore

/// Turns what a server says of an item into a version, as far as what it says can be relied on.
struct ServerVersions: Sendable {
    private let known: KnownTraits
    /// What the server can do.
    var traits: ServerTraits { known.current }

    init(_ known: KnownTraits) { self.known = known }

    /// What is asked of an item.
    var properties: Set<PropertyName> {
        let always: Set<PropertyName> = [.resourceType, .entityTag, .length, .modified, .lastingID]
        return traits.keepsDigests ? always.union([.checksums]) : always
    }

    /// Seconds in which two versions of a file can carry one tag: a server that tells whole seconds, and the second in
    /// which its clock was read.
    private static let grain: Int64 = 2

    /// Bytes of a file, at most: no file system holds more in one, and sums of them are to be numbers.
    static let largest: Int64 = 1 << 53

    /// The kind and version of an item.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970 by the server's clock; nil if it does not tell.
    ///   - year: The present one.
    /// - Throws: `malformed` for an answer that leaves out what every server says.
    func entry(_ item: MultistatusResponse, now: Int64?, year: Int) throws(DAVFailure) -> (EntryKind, Version) {
        guard let isCollection = item.isCollection else { throw DAVFailure(.malformed) }
        let identity = Token(item.properties[.lastingID].map { Array($0.text.withoutBlanks()) } ?? [])
        if isCollection { return (.directory, Version(identity: identity, tag: .none, size: 0)) }
        guard let size = item.length, size <= Self.largest else { throw DAVFailure(.malformed) }
        let modified = item.modified(year: year)
        guard let tag = item.entityTag ?? modified.flatMap({ Self.tag(modified: $0, size: size) }) else {
            throw DAVFailure(.malformed)
        }
        let isCoarse = item.entityTag == nil || !traits.tellsQuickWrites
        return (
            .file,
            Version(
                identity: identity, tag: Token(tag.opaque), size: size,
                modified: (modified ?? 0).multipliedClamped(by: 1_000_000_000),
                isRacy: tag.isWeak || isCoarse && remaining(modified, now) > 0, hash: hash(of: item))
        )
    }

    private func hash(of item: MultistatusResponse) -> ContentHash? {
        guard traits.keepsDigests, let checksums = item.properties[.checksums] else { return nil }
        return ContentDigest.hash(in: Array(checksums.text))
    }

    /// The tag of a collection that changes with whatever changes in it, however deep; none where the server has none, or
    /// does not say for certain which.
    func directoryTag(of item: MultistatusResponse) -> Token {
        guard traits.directoryTags, let tag = item.entityTag, !tag.isWeak else { return .none }
        return Token(tag.opaque)
    }

    /// Seconds until a further change of a file would show in its tag, on a server that tells whole seconds.
    private func remaining(_ modified: Int64?, _ now: Int64?) -> Int64 {
        guard let modified, let now else { return Self.grain }
        let (age, overflow) = now.subtractingReportingOverflow(modified)
        // A time in the future says nothing about when it was set.
        return overflow || age <= -Self.grain ? 0 : max(0, Self.grain - age)
    }

    /// For a server that gives no tags.
    private static func tag(modified: Int64, size: Int64) -> EntityTag? {
        EntityTag(Array("\(modified)-\(size)".utf8))
    }

    /// The version of what was written in one request, as the answer tells it; nil if it does not.
    ///
    /// - Parameter expected: What was replaced; nil where nothing was.
    func written(_ reply: DAVReply, _ held: StagedContents.Held, over expected: Version?) -> Version? {
        guard let tag = reply.entityTag, !tag.isWeak else { return nil }
        let second: Int64 = 1_000_000_000
        return Version(
            identity: reply.lastingID.map { Token($0) } ?? expected?.identity ?? .none, tag: Token(tag.opaque),
            size: held.size, modified: reply.keptModified ? held.modified / second * second : 0)
    }

    /// What a server is told of a file besides its contents.
    ///
    /// - Parameters:
    ///   - modified: Nanoseconds since 1970. Known servers refuse times of the first day, which nobody's files have.
    ///   - hash: Of the contents; nil if that is not known yet.
    func headers(_ modified: Int64, _ hash: ContentHash? = nil) -> [(String, String)] {
        let seconds = modified / 1_000_000_000
        var headers: [(String, String)] = []
        if traits.keepsModified && seconds > 86_400 { headers.append(("X-OC-Mtime", "\(seconds)")) }
        if traits.keepsDigests, let hash { headers.append(ContentDigest.header(hash)) }
        return headers
    }

    /// How long a racy version is waited for until it is none.
    static let settling = Duration.milliseconds(2_200)

    /// The same for a file under a name that nobody else knows: only a write at its next place, which comes after, could
    /// get the same tag.
    var settlingOfStaged: Duration { traits.weakTagsStay ? TagGrain.fine : Self.settling }

    /// The tag with which a server that honours it is told that this version of a file is meant; nil if it cannot be.
    func entityTag(of version: Version) -> EntityTag? {
        traits.listsTags && !version.isRacy ? EntityTag(version.tag.bytes) : nil
    }
}
