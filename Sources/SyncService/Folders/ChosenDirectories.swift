internal import RoundelBus
internal import Support
internal import SyncCore

/// The directories of a remote that a person chose to sync, and nothing else of it.
///
/// The choice is written as exclude patterns: what is not chosen is excluded, and an excluded item is never deleted on
/// either side. So a directory that appears beside the chosen ones is not brought here, and one of this computer that was
/// not chosen stays on this computer alone.
struct ChosenDirectories: Equatable {
    /// The most directories of one choice: each pattern is compared with each item.
    private static let most = 1_000
    /// The longest pattern that a folder may have, in bytes.
    private static let longest = 4_096

    /// None of them is in another one.
    private let paths: [RelativePath]

    /// A choice from a caller.
    ///
    /// - Parameter texts: Paths below the root of the remote, such as `Photos/2024`; none, or the root, for everything.
    /// - Throws: `InvalidPattern`, `LimitExceeded`.
    init(_ texts: [String]) throws(WorkerError) {
        guard texts.count <= Self.most else {
            throw WorkerError(
                .limitExceeded, tr("At most {1} directories can be chosen. Choose those above them.", "\(Self.most)"))
        }
        var found: Set<RelativePath> = []
        for text in texts {
            guard let path = RelativePath(typed: text), path.pattern.utf8.count < Self.longest else {
                throw WorkerError(
                    .invalidPattern,
                    tr("“{1}” is not the path of a directory on the remote.", String(text.prefix(100))))
            }
            found.insert(path)
        }
        paths = found.filter { path in
            !(0..<path.names.count).contains { found.contains(RelativePath(Array(path.names.prefix($0)))) }
        }.sorted { $0.names.lexicographicallyPrecedes($1.names) }
    }

    /// The patterns of the choice; none for everything. Of these, a folder's own patterns come after.
    var patterns: [String] {
        guard let first = paths.first, !first.isRoot else { return [] }
        var patterns: [String] = []
        var opened: Set<RelativePath> = []
        for path in paths {
            for length in path.names.indices {
                let directory = RelativePath(Array(path.names.prefix(length)))
                // The way to a chosen directory leads through others, of which nothing else is synced.
                guard opened.insert(directory).inserted else { continue }
                if !directory.isRoot { patterns.append("!" + directory.pattern + "/") }
                patterns.append(directory.pattern + "/*")
            }
            patterns.append("!" + path.pattern + "/")
        }
        return patterns
    }
}

extension RelativePath {
    /// The path that a caller gave, with or without a slash at its ends; nil if it is none.
    init?(typed text: String) {
        var names: [EntryName] = []
        var rest = text[...]
        if rest.hasPrefix("/") { rest = rest.dropFirst() }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        if rest.isEmpty {
            self = .root
            return
        }
        for part in rest.split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = EntryName(String(part)) else { return nil }
            names.append(name)
        }
        self.init(names)
    }

    /// What matches the item by its whole path and nothing else, without an end: no pattern may end with a space.
    fileprivate var pattern: String { String(decoding: ItemExclusion.quoted(self), as: UTF8.self) }
}
