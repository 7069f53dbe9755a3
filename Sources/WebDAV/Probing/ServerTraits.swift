/// What a server can do, seen by trying it: several ignore what the standards ask of them, and say otherwise.
package struct ServerTraits: Hashable, Sendable {
    /// A write with `If-Match` of other contents than are there changes nothing.
    package var honoursMatch = false
    /// A write with `If-None-Match: *` where something is changes nothing.
    package var honoursAbsence = false
    /// A move and a removal with `If-Match` of other contents than are there change nothing.
    package var honoursMatchInMoves = false
    /// A move with an `If` header that names other contents than are at its target changes nothing.
    package var honoursMatchOfTarget = false
    /// A move with `Overwrite: F` where something is changes nothing.
    package var honoursOverwrite = false
    /// A file that is being written shows its former contents until all of the new ones are there.
    package var writesAtOnce = false
    /// Listings give entity tags.
    package var listsTags = false
    /// The answer to a write gives the new entity tag.
    package var repliesWithTags = false
    /// Two writes in a moment get different tags.
    package var tellsQuickWrites = false
    /// A tag that is weak in the moments after a write is the same as a strong one later, and those of writes that are a
    /// quarter of a second apart differ.
    package var weakTagsStay = false
    /// A file keeps its tag when it is moved.
    package var keepsTagInMoves = false
    /// A move gives an item the very name that was asked for. Some servers decode the name before they look for the end of
    /// the address in it, or decode it twice: with a question mark, a hash or a percent sign it becomes another one.
    package var keepsNamesInMoves = false
    /// The tag of a collection changes with whatever changes below it, however deep.
    package var directoryTags = false
    /// A file can be locked, and is not written by others then.
    package var locks = false
    /// Listings leave out names that begin with a dot, although such files can be written and read.
    package var hidesDotFiles = false
    /// A part of a file can be read.
    package var ranges = false
    /// A whole tree can be listed at once.
    package var listsTrees = false
    /// A file gets the modification time that it is sent with (`X-OC-Mtime`).
    package var keepsModified = false
    /// A file keeps the SHA-256 that it is sent with (`OC-Checksum`) until it is written again.
    package var keepsDigests = false
    /// Large files can be sent in chunks.
    package var takesChunks = false
    /// It says how much may still be written.
    package var tellsQuota = false
    /// Items have pages of their own in a browser.
    package var hasItemPages = false
    /// Whoever is logged in may share items by links.
    package var givesShareLinks = false

    /// Whether each version of a file has a tag of its own, which is known as soon as it is written.
    private var tellsVersions: Bool { listsTags && repliesWithTags && tellsQuickWrites }

    /// Whether a file can be written to its place in one request that changes nothing but what is meant, shows no part of
    /// it, and says what came of it.
    var publishesInOneStep: Bool { honoursMatch && honoursAbsence && writesAtOnce && tellsVersions }

    /// Whether a file can be moved or removed in one request that changes nothing but what is meant. A weak tag fits no
    /// condition.
    var movesByTag: Bool {
        honoursMatchInMoves && honoursOverwrite && listsTags && tellsQuickWrites && !weakTagsStay
    }

    /// A server of which nothing is known.
    package init() {}

    /// What is kept of a server in settings.
    ///
    /// - Parameter names: Of what it can do; those that this version does not know count for nothing.
    package init(names: [String]) {
        for name in names {
            if let path = Self.paths[name] { self[keyPath: path] = true }
        }
    }

    /// The names of all that the server can do, sorted.
    package var names: [String] { Self.paths.filter { self[keyPath: $0.value] }.map(\.key).sorted() }

    /// The names of all that servers can do.
    package static var allNames: [String] { paths.keys.sorted() }

    private static let paths: [String: any WritableKeyPath<ServerTraits, Bool> & Sendable] = [
        "honours-match": \.honoursMatch,
        "honours-absence": \.honoursAbsence,
        "honours-match-in-moves": \.honoursMatchInMoves,
        "honours-match-of-target": \.honoursMatchOfTarget,
        "honours-overwrite": \.honoursOverwrite,
        "writes-at-once": \.writesAtOnce,
        "lists-tags": \.listsTags,
        "replies-with-tags": \.repliesWithTags,
        "tells-quick-writes": \.tellsQuickWrites,
        "weak-tags-stay": \.weakTagsStay,
        "keeps-tag-in-moves": \.keepsTagInMoves,
        "keeps-names-in-moves": \.keepsNamesInMoves,
        "directory-tags": \.directoryTags,
        "locks": \.locks,
        "hides-dot-files": \.hidesDotFiles,
        "ranges": \.ranges,
        "lists-trees": \.listsTrees,
        "keeps-modified": \.keepsModified,
        "keeps-digests": \.keepsDigests,
        "takes-chunks": \.takesChunks,
        "tells-quota": \.tellsQuota,
        "item-pages": \.hasItemPages,
        "share-links": \.givesShareLinks,
    ]
}
