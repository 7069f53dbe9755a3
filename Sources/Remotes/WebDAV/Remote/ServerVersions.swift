import Support
import SyncCore
import SyncEngine

/// Converts what a server reports about an item to a version, as far as that is reliable.
struct ServerVersions: Sendable {
    /// What is known of the server.
    let known: KnownTraits
    /// What the server can do.
    var traits: ServerTraits { known.current }

    /// The account that is logged in, if the address tells it.
    private let user: String?

    init(_ known: KnownTraits, user: String? = nil) { (self.known, self.user) = (known, user) }

    /// The properties to request of an item.
    var properties: Set<PropertyName> {
        let always: Set<PropertyName> = [.resourceType, .entityTag, .length, .modified, .lastingID]
        let told = traits.tellsAccess ? always.union(ToldAccess.properties) : always
        return traits.keepsDigests || traits.tellsDigests ? told.union([.checksums]) : told
    }

    /// The seconds in which two versions of a file can have the same tag: the server may report whole seconds, and its
    /// clock was read at some point within a second.
    private static let grain: Int64 = 2

    /// The maximum size of a file in bytes. Real files are smaller, and sums of such sizes do not overflow.
    static let largest: Int64 = 1 << 53

    /// The kind and version of an item.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970 by the server's clock; nil if it is not known.
    ///   - year: The current year.
    /// - Throws: `malformed` for a response without properties that every server reports.
    func entry(_ item: MultistatusResponse, now: Int64?, year: Int) throws(DAVFailure) -> (EntryKind, Version) {
        guard let isCollection = item.isCollection else { throw DAVFailure(.malformed) }
        let identity = Token(item.properties[.lastingID].map { Array($0.text.withoutBlanks()) } ?? [])
        if isCollection { return (.directory, Version(identity: identity, tag: .none, size: 0)) }
        guard let size = item.length, size <= Self.largest else { throw DAVFailure(.malformed) }
        let modified = item.modified(year: year)
        guard let tag = item.entityTag ?? modified.flatMap({ Self.tag(modified: $0, size: size) }) else {
            throw DAVFailure(.malformed)
        }
        // A weak tag says that another write within the server's grain could have the same one. Some servers' tags are
        // always weak.
        let isCoarse = item.entityTag == nil || !traits.tellsQuickWrites || tag.isWeak
        return (
            .file,
            Version(
                identity: identity, tag: Token(tag.opaque), size: size,
                modified: (modified ?? 0).multipliedClamped(by: 1_000_000_000),
                isRacy: isCoarse && remaining(modified, now) > 0, hash: hash(of: item))
        )
    }

    /// What the user may do with an item; nil if the server does not tell.
    func access(_ item: MultistatusResponse) -> ItemAccess? {
        traits.tellsAccess ? ToldAccess.access(item, user: user) : nil
    }

    private func hash(of item: MultistatusResponse) -> ContentHash? {
        guard traits.keepsDigests, let checksums = item.properties[.checksums] else { return nil }
        return ContentDigest.hash(in: Array(checksums.text))
    }

    /// The checksum that is told of a file, other than one that is a part of its version; nil if there is none that can be
    /// relied on.
    func digest(of item: MultistatusResponse) -> ContentDigest? {
        guard traits.keepsDigests || traits.tellsDigests, let checksums = item.properties[.checksums],
            let digest = ContentDigest(in: Array(checksums.text))
        else { return nil }
        return traits.keepsDigests && digest.kind == .sha256 ? nil : digest
    }

    /// The tag of a collection that changes with any change in it, at any depth; none if the server has no such tags.
    func directoryTag(of item: MultistatusResponse) -> Token {
        guard traits.directoryTags, let tag = item.entityTag else { return .none }
        // A directory that is known from before the server was asked for what may be done in it is listed once more.
        return Token(traits.tellsAccess ? tag.opaque + Self.withAccess : tag.opaque)
    }

    /// No tag of a server ends with a line.
    private static let withAccess = Array("\n+access".utf8)

    /// Seconds until a further change of a file would change its tag, on a server that reports whole seconds.
    private func remaining(_ modified: Int64?, _ now: Int64?) -> Int64 {
        guard let modified, let now else { return Self.grain }
        let (age, overflow) = now.subtractingReportingOverflow(modified)
        // A time in the future says nothing about when it was set.
        return overflow || age <= -Self.grain ? 0 : max(0, Self.grain - age)
    }

    /// A substitute for a server without tags.
    private static func tag(modified: Int64, size: Int64) -> EntityTag? {
        EntityTag(Array("\(modified)-\(size)".utf8))
    }

    /// The version of what was written in one request, from the response; nil if that does not contain it.
    ///
    /// - Parameter expected: The replaced version; nil if nothing was replaced.
    func written(_ reply: DAVReply, _ held: StagedContents.Held, over expected: Version?) -> Version? {
        // The weak tag of a server whose tags are made of times may be that of another write a moment later.
        guard let tag = reply.entityTag, !tag.isWeak || !traits.weakTagsStay else { return nil }
        let second: Int64 = 1_000_000_000
        return Version(
            identity: reply.lastingID.map { Token($0) } ?? expected?.identity ?? .none, tag: Token(tag.opaque),
            size: held.size, modified: reply.keptModified ? held.modified / second * second : 0)
    }

    /// Headers about a file besides its contents.
    ///
    /// - Parameters:
    ///   - modified: Nanoseconds since 1970. Known servers refuse times of the first day, which no real file has.
    ///   - hash: The hash of the contents; nil if it is not known yet.
    func headers(_ modified: Int64, _ hash: ContentHash? = nil) -> [(String, String)] {
        let seconds = modified / 1_000_000_000
        var headers: [(String, String)] = []
        if traits.keepsModified && seconds > 86_400 { headers.append(("X-OC-Mtime", "\(seconds)")) }
        if traits.keepsDigests, let hash { headers.append(ContentDigest.header(hash)) }
        return headers
    }

    /// How long to wait until a version is no longer racy.
    static let settling = Duration.milliseconds(2_200)

    /// The same for a file under a name that no one else knows: only a write at its next place, which comes later,
    /// could get the same tag.
    var settlingOfStaged: Duration {
        guard traits.weakTagsStay else { return Self.settling }
        return traits.tagsAreVeryFine ? TagGrain.veryFine : TagGrain.fine
    }

    /// The tag for requests that expect this version of a file; nil if none can be used.
    func entityTag(of version: Version) -> EntityTag? {
        traits.listsTags && !version.isRacy ? EntityTag(version.tag.bytes) : nil
    }
}
