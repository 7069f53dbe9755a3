/// The states of what is in one directory, summed up from what git says of everything below it.
package struct DirectoryStates: Equatable, Sendable {
    /// The state of everything in the directory, if git speaks of the directory or of one that holds it.
    private var whole: FileState?
    private var states: [[UInt8]: FileState] = [:]
    /// The names that are staged, or hold something that is.
    package private(set) var staged: Set<[UInt8]> = []

    /// - Parameter directory: The path below the root of the work tree; empty for the root.
    package init(_ entries: [StatusOutput.Entry], in directory: [UInt8]) {
        for entry in entries {
            if entry.isDirectory, Self.isWithin(directory, entry.path) {
                whole = entry.state
            } else if Self.isWithin(entry.path, directory) {
                add(entry, below: directory)
            }
        }
    }

    private mutating func add(_ entry: StatusOutput.Entry, below directory: [UInt8]) {
        let rest = entry.path.dropFirst(directory.isEmpty ? 0 : directory.count + 1)
        guard !rest.isEmpty else { return }
        let name = Array(rest.prefix { $0 != UInt8(ascii: "/") })
        // A directory that holds something ignored is not ignored.
        let state = name.count == rest.count ? entry.state : max(.clean, entry.state)
        states[name] = states[name].map { max($0, state) } ?? state
        if entry.isStaged { staged.insert(name) }
    }

    /// Whether a path is the directory's own or below it.
    private static func isWithin(_ path: [UInt8], _ directory: [UInt8]) -> Bool {
        if directory.isEmpty { return true }
        guard path.starts(with: directory) else { return false }
        return path.count == directory.count || path[directory.count] == UInt8(ascii: "/")
    }

    /// What git says of a name; nil if nothing: it is as in the last commit, or not there.
    package func state(of name: [UInt8]) -> FileState? { whole ?? states[name] }
}
