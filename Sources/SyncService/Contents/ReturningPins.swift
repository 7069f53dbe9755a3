internal import Glibc
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// What is always kept on this computer and is not surely in the folder's trees: what a person has just pinned, and what
/// was pinned when the trees were thrown away with the wishes in them. That is pinned again when the folder has found it.
final class ReturningPins {
    private let state: FilePath
    private var paths: Set<RelativePath>

    private static let name = "pins"
    private static let limit = 64 << 20

    /// - Parameter state: The folder's own directory of state.
    init(in state: FilePath) {
        self.state = state
        paths = Self.noted(in: state)
    }

    /// Whether nothing is to be pinned again.
    var isEmpty: Bool { paths.isEmpty }

    /// Whether an item is to be pinned again, by itself or with a directory that it is in.
    func cover(_ path: RelativePath) -> Bool {
        guard !paths.isEmpty else { return false }
        var place = path
        while !place.isRoot {
            if paths.contains(place) { return true }
            place = place.parent
        }
        return paths.contains(.root)
    }

    /// What is to be pinned now, by what a run of the folder has found. A pin is forgotten when it is seen to be kept by
    /// the folder, and when the folder is complete without its item.
    ///
    /// - Parameters:
    ///   - isComplete: Whether the folder has found everything that there is.
    ///   - node: The item at a path; nil if none is known.
    ///   - isPinned: Whether an item is pinned by itself.
    func due(isComplete: Bool, node: (RelativePath) -> NodeID?, isPinned: (NodeID) -> Bool) -> [NodeID] {
        guard !paths.isEmpty else { return [] }
        var (due, rest): ([NodeID], Set<RelativePath>) = ([], [])
        for path in paths {
            guard let item = node(path) else {
                if !isComplete { rest.insert(path) }
                continue
            }
            if isPinned(item) { continue }
            due.append(item)
            rest.insert(path)
        }
        keep(rest)
        return due.sorted()
    }

    /// Items are pinned, which the trees tell after the next run.
    func add(_ pins: [RelativePath]) throws(Errno) {
        let all = paths.union(pins)
        if all == paths { return }
        try Self.write(all, in: state)
        paths = all
    }

    /// An item is not to be kept any more, with everything in it.
    func drop(_ path: RelativePath) { keep(paths.filter { !$0.names.starts(with: path.names) }) }

    /// An item by itself is not to be kept any more; what is in it is.
    func drop(onlyItself path: RelativePath) { keep(paths.subtracting([path])) }

    private func keep(_ rest: Set<RelativePath>) {
        guard rest != paths else { return }
        paths = rest
        if rest.isEmpty { return Self.forget(in: state) }
        do throws(Errno) { try Self.write(rest, in: state) } catch { log(.warning, "\(state): \(error)") }
    }

    // MARK: The note

    /// Notes what is pinned, with what was to be pinned again already.
    static func note(_ pins: [RelativePath], in state: FilePath) throws(Errno) {
        let all = noted(in: state).union(pins)
        if !all.isEmpty { try write(all, in: state) }
    }

    static func forget(in state: FilePath) { _ = state.appending(name).withPlatformString { unlink($0) } }

    private static func write(_ paths: Set<RelativePath>, in state: FilePath) throws(Errno) {
        let bytes = paths.flatMap { $0.names.map(\.bytes).joined(separator: [UInt8(ascii: "/")]) + [0] }
        try SmallFile.replace(state.appending(name), with: bytes)
    }

    private static func noted(in state: FilePath) -> Set<RelativePath> {
        guard let bytes = try? SmallFile.read(state.appending(name), limit: limit), bytes.last == 0 else { return [] }
        let lines = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
        return Set(lines.compactMap(path))
    }

    /// Nil if it contains an invalid name.
    private static func path(of bytes: some Collection<UInt8>) -> RelativePath? {
        var names: [EntryName] = []
        for part in bytes.split(separator: UInt8(ascii: "/")) {
            guard let name = EntryName(Array(part)) else { return nil }
            names.append(name)
        }
        return RelativePath(names)
    }
}
