package import RoundelBus
internal import Support

/// Which directories of a remote are synced: all, or those that the person chooses in a tree, each with all that is in it.
package struct DirectoryChoice: Sendable, Equatable {
    /// A directory in the tree, as it is shown.
    package struct Row: Sendable, Equatable {
        /// Below the remote.
        package let path: String
        /// Its name.
        package let name: String
        /// The size of everything in it; nil if it is not known.
        package let size: String?
        /// How many directories it is in.
        package let depth: Int
        /// Whether it is synced.
        package let isChosen: Bool
        /// Whether it is synced because a directory is that it is in.
        package let isInChosen: Bool
        /// Whether there may be directories in it.
        package let mayBeOpened: Bool
        /// Whether the directories in it are shown.
        package let isOpen: Bool
        /// Why they are not, in a sentence; nil for no reason.
        package let problem: String?
    }

    private enum Contents: Equatable {
        case asked
        case known([SyncRemoteDirectory], hasMore: Bool)
        case failed(String)
    }

    /// Whether only chosen directories are synced.
    package var isLimited = false
    private var contents: [String: Contents] = [:]
    private var open: Set<String> = []
    private var chosen: Set<String> = []

    /// Nothing is known of the directories, and all are synced.
    package init() {}

    /// The chosen directories, as paths below the remote; empty for all.
    package var only: [String] { isLimited ? chosen.sorted() : [] }

    /// Whether anything is synced.
    package var hasAny: Bool { !isLimited || !chosen.isEmpty }

    /// Opens a directory, or closes it; "" is the remote itself.
    /// - Returns: Whether it is to be listed.
    package mutating func toggle(_ path: String) -> Bool {
        guard open.insert(path).inserted else {
            open.remove(path)
            return false
        }
        switch contents[path] {
        case .asked, .known: return false
        case .failed, nil:
            contents[path] = .asked
            return true
        }
    }

    /// Opens the remote itself, if that was not done.
    /// - Returns: Whether it is to be listed.
    package mutating func begin() -> Bool { open.contains("") ? false : toggle("") }

    /// The directories in one; what is no longer asked for is not taken.
    package mutating func listed(_ path: String, _ directories: [SyncRemoteDirectory], hasMore: Bool) {
        guard contents[path] == .asked else { return }
        contents[path] = .known(directories, hasMore: hasMore)
    }

    /// The directories in one cannot be listed, for the reason in this sentence.
    package mutating func failed(_ path: String, _ sentence: String) {
        guard contents[path] == .asked else { return }
        contents[path] = .failed(sentence)
    }

    /// Has a directory synced, with all that is in it, or not.
    package mutating func choose(_ path: String, _ isChosen: Bool) {
        if isChosen {
            chosen = chosen.filter { !Self.isBelow($0, path) }
            if !isInChosen(path) { chosen.insert(path) }
        } else {
            chosen.remove(path)
        }
    }

    /// Whether the remote's directories are being asked for.
    package var isLoading: Bool { contents[""] == .asked }

    /// Something about the tree as a whole, such as why it is not shown; nil for nothing.
    package var notice: String? {
        switch contents[""] {
        case .failed(let sentence): sentence
        case .known(let directories, _) where directories.isEmpty: tr("There are no directories to choose from.")
        case .asked, .known, nil: nil
        }
    }

    /// The tree, from the top.
    package var rows: [Row] { rows(in: "", depth: 0) }

    private func rows(in parent: String, depth: Int) -> [Row] {
        guard open.contains(parent), case .known(let directories, _)? = contents[parent] else { return [] }
        return directories.flatMap { [row($0, depth)] + rows(in: $0.path, depth: depth + 1) }
    }

    private func row(_ directory: SyncRemoteDirectory, _ depth: Int) -> Row {
        let isInChosen = isInChosen(directory.path)
        var problem: String?
        var isEmpty = directory.hasChildren == false
        switch contents[directory.path] {
        case .failed(let sentence): problem = open.contains(directory.path) ? sentence : nil
        case .known(let known, let hasMore):
            isEmpty = known.isEmpty
            problem = hasMore && open.contains(directory.path) ? tr("There are more than are shown.") : nil
        case .asked, nil: break
        }
        return Row(
            path: directory.path, name: DisplayText.escaped(directory.name),
            size: directory.size.map { Quantity.bytes($0) }, depth: depth,
            isChosen: isInChosen || chosen.contains(directory.path), isInChosen: isInChosen, mayBeOpened: !isEmpty,
            isOpen: open.contains(directory.path), problem: problem)
    }

    private func isInChosen(_ path: String) -> Bool { chosen.contains { Self.isBelow(path, $0) } }

    private static func isBelow(_ path: String, _ directory: String) -> Bool { path.hasPrefix(directory + "/") }
}
