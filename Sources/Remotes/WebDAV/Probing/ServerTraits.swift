/// What a server can do, found by testing: several servers ignore the standards but claim to support them.
package struct ServerTraits: Hashable, Sendable {
    /// A write with `If-Match` changes nothing if other contents are there.
    package var honoursMatch = false
    /// A write with `If-None-Match: *` changes nothing if something is there.
    package var honoursAbsence = false
    /// A move and a removal with `If-Match` change nothing if other contents are there.
    package var honoursMatchInMoves = false
    /// A move with an `If` header changes nothing if its target has other contents.
    package var honoursMatchOfTarget = false
    /// A move with `Overwrite: F` changes nothing if something is at its target.
    package var honoursOverwrite = false
    /// A file that is being written has its old contents until all new ones have arrived.
    package var writesAtOnce = false
    /// Listings contain entity tags.
    package var listsTags = false
    /// The response to a write contains the new entity tag.
    package var repliesWithTags = false
    /// Two writes in quick succession get different tags.
    package var tellsQuickWrites = false
    /// A weak tag shortly after a write equals the later strong one, and writes a quarter of a second apart get
    /// different tags.
    package var weakTagsStay = false
    /// Weak tags of writes that are 20 milliseconds apart differ.
    package var tagsAreVeryFine = false
    /// A file keeps its tag when it is moved.
    package var keepsTagInMoves = false
    /// A move gives an item exactly the requested name. Some servers decode the name before they look for the end of
    /// the address in it, or decode it twice: names with a question mark, a hash or a percent sign then change.
    package var keepsNamesInMoves = false
    /// A collection is made only where nothing is: the request for that is refused anywhere else.
    package var makesOnlyNew = false
    /// The tag of a collection changes with any change below it, at any depth.
    package var directoryTags = false
    /// Each change below a collection gives it another tag, also in quick succession, and a move of the collection itself does
    /// not.
    package var keepsTreeTags = false
    /// A file can be locked, and other clients then cannot write it.
    package var locks = false
    /// Listings leave out names that begin with a dot, although such files can be written and read.
    package var hidesDotFiles = false
    /// A part of a file can be read.
    package var ranges = false
    /// A whole tree can be listed at once.
    package var listsTrees = false
    /// A file gets the modification time sent with it (`X-OC-Mtime`).
    package var keepsModified = false
    /// A file keeps the SHA-256 sent with it (`OC-Checksum`) until it is written again.
    package var keepsDigests = false
    /// Checksums of files are listed, of whatever kind.
    package var tellsDigests = false
    /// Listings tell what the user may do with an item, and whether it is shared or locked.
    package var tellsAccess = false
    /// Large files can be sent in chunks.
    package var takesChunks = false
    /// It reports how much more may be written.
    package var tellsQuota = false
    /// Items have pages that a browser can show.
    package var hasItemPages = false
    /// The logged-in user may share items by links.
    package var givesShareLinks = false
    /// The logged-in user may share items, by links or with people.
    package var givesShares = false
    /// People can lock files, so that others do not write them.
    package var locksFiles = false

    /// Takes over what a server says of itself that no test finds.
    mutating func note(_ capabilities: ServerCapabilities?) {
        givesShareLinks = capabilities?.givesShareLinks ?? false
        givesShares = capabilities?.sharing?.givesShares ?? false
        locksFiles = capabilities?.locksFiles ?? false
    }

    /// Whether each version of a file has its own tag, which is known as soon as it is written.
    private var tellsVersions: Bool { listsTags && repliesWithTags && tellsQuickWrites }

    /// Whether one request can write a file to its place safely: it changes only the expected version, never shows a
    /// partial file, and returns the result.
    var publishesInOneStep: Bool { honoursMatch && honoursAbsence && writesAtOnce && tellsVersions }

    /// Whether one request can move or remove a file so that only the expected version is affected. A weak tag matches
    /// no condition.
    var movesByTag: Bool {
        honoursMatchInMoves && honoursOverwrite && listsTags && tellsQuickWrites && !weakTagsStay
    }

    /// Whether a small file is replaced by a write under a lock rather than by a move, which some of these servers carry
    /// out as a removal and a renaming. Its version must be known for certain while the lock holds.
    var replacesUnderLock: Bool { locks && writesAtOnce && listsTags && weakTagsStay && tagsAreVeryFine }

    /// Whether a directory can be removed with everything in it, only if everything is as expected. What listings leave out
    /// would go unseen.
    var removesTrees: Bool { directoryTags && keepsTreeTags && honoursOverwrite && !hidesDotFiles }

    /// A server about which nothing is known.
    package init() {}

    /// From the names stored in settings.
    ///
    /// - Parameter names: The names of its traits; unknown ones are ignored.
    package init(names: [String]) {
        for name in names {
            if let path = Self.paths[name] { self[keyPath: path] = true }
        }
    }

    /// The sorted names of all its traits.
    package var names: [String] { Self.paths.filter { self[keyPath: $0.value] }.map(\.key).sorted() }

    /// The sorted names of all possible traits.
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
        "very-fine-tags": \.tagsAreVeryFine,
        "keeps-tag-in-moves": \.keepsTagInMoves,
        "keeps-names-in-moves": \.keepsNamesInMoves,
        "makes-only-new": \.makesOnlyNew,
        "directory-tags": \.directoryTags,
        "keeps-tree-tags": \.keepsTreeTags,
        "locks": \.locks,
        "hides-dot-files": \.hidesDotFiles,
        "ranges": \.ranges,
        "lists-trees": \.listsTrees,
        "keeps-modified": \.keepsModified,
        "keeps-digests": \.keepsDigests,
        "tells-digests": \.tellsDigests,
        "tells-access": \.tellsAccess,
        "takes-chunks": \.takesChunks,
        "tells-quota": \.tellsQuota,
        "item-pages": \.hasItemPages,
        "share-links": \.givesShareLinks,
        "shares": \.givesShares,
        "locks-files": \.locksFiles,
    ]
}
