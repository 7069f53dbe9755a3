/// What `git status --porcelain=v2 -z` printed.
package struct StatusOutput: Equatable, Sendable {
    /// An item that is not as in the last commit.
    package struct Entry: Equatable, Sendable {
        /// The path below the root of the work tree, without a slash at its end.
        package let path: [UInt8]
        package let state: FileState
        /// Whether it stands for a directory with all that is in it.
        package let isDirectory: Bool
        /// Whether the index differs from the last commit.
        package var isStaged = false
        /// Whether the work tree differs from the index.
        package var isModified = false
        /// Whether the index has contents of it. It has none of what is only meant to be added, nor of what is deleted.
        package var isInIndex = true
    }

    package private(set) var entries: [Entry] = []
    /// Where the work tree is, if it was asked for.
    package private(set) var branch: BranchState?

    /// Reads the output; lines of a kind that is not known are passed over.
    package init(_ output: some Sequence<UInt8>) {
        var lines = output.split(separator: 0).makeIterator()
        var headers: [[UInt8]] = []
        while let line = lines.next() {
            switch line.first {
            case UInt8(ascii: "#"): headers.append(Array(line))
            case UInt8(ascii: "1"): add(line, pathAfter: 8, nil)
            case UInt8(ascii: "2"):
                add(line, pathAfter: 9, nil)
                // The path that it had before.
                _ = lines.next()
            case UInt8(ascii: "u"): add(line, pathAfter: 10, .conflicted)
            case UInt8(ascii: "?"): add(line, pathAfter: 1, .untracked)
            case UInt8(ascii: "!"): add(line, pathAfter: 1, .ignored)
            default: break
            }
        }
        branch = BranchState(headers: headers)
    }

    /// - Parameter state: nil: as the two letters of the line say, the first of the index, the second of the work tree.
    private mutating func add(_ line: ArraySlice<UInt8>, pathAfter fields: Int, _ state: FileState?) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: fields, omittingEmptySubsequences: false)
        guard parts.count == fields + 1, let path = parts.last, !path.isEmpty else { return }
        let isDirectory = path.last == UInt8(ascii: "/")
        let letters = line.dropFirst(2).prefix(2)
        let isModified = state == nil && letters.last != UInt8(ascii: ".")
        let isInIndex = state != nil || !parts[4].elementsEqual("000000".utf8)
        entries.append(
            Entry(
                path: Array(isDirectory ? path.dropLast() : path), state: state ?? (isModified ? .modified : .staged),
                isDirectory: isDirectory, isStaged: state == nil && letters.first != UInt8(ascii: "."),
                isModified: isModified, isInIndex: isInIndex))
    }

    /// The worst state of all; clean without an entry.
    package var sum: FileState { entries.reduce(.clean) { max($0, $1.state) } }
}
