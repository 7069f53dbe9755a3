internal import Glibc
package import RoundelBus
internal import Support
package import SystemPackage

/// Carries out what was chosen in a menu. All of it may wait for a disk.
package struct GitActions: Sendable {
    private let reader: RepositoryReader
    private let trash: TrashBin

    /// How many paths one call of `git status` gets.
    private static let mostPaths = 500

    /// - Parameters:
    ///   - reader: Finds the work trees of the items.
    ///   - trash: Takes what is discarded.
    package init(_ reader: RepositoryReader, trash: TrashBin) {
        self.reader = reader
        self.trash = trash
    }

    /// The work trees of these items, each with the paths of its items below its root.
    package func trees(of items: [ItemURI]) -> [(root: ItemURI, paths: [[UInt8]])] {
        var found: [ItemURI: [[UInt8]]] = [:]
        for item in items {
            guard let root = reader.root(of: item) else { continue }
            let path = root.relativeBytes(of: item)
            found[root, default: []].append(path.isEmpty ? Array(".".utf8) : path)
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// - Throws: A sentence for the person; what was done before stays.
    package func stage(_ items: [ItemURI]) throws(RoundelError) {
        for tree in trees(of: items) {
            let git = try Self.withoutOwnFilters(tree.root)
            try Self.run(git, ["add", "-A"], tree.paths)
        }
    }

    /// - Throws: As ``stage(_:)``.
    package func unstage(_ items: [ItemURI]) throws(RoundelError) {
        for tree in trees(of: items) { try Self.run(GitCommand(in: tree.root), ["reset", "-q"], tree.paths) }
    }

    /// Puts the files as they are into the trash, then gets them from the index.
    /// - Throws: As ``stage(_:)``.
    package func discard(_ items: [ItemURI]) throws(RoundelError) {
        for tree in trees(of: items) {
            let git = try Self.withoutOwnFilters(tree.root)
            let changed = try modified(tree.paths, git)
            for path in changed {
                do throws(Errno) {
                    try trash.put(tree.root.pathBytes + [UInt8(ascii: "/")] + path)
                } catch Errno.noSuchFileOrDirectory {
                    // It was deleted, and is to come back.
                } catch {
                    throw Self.failed(
                        tr("“{1}” cannot be put into the trash: {2}.", DisplayText.decoding(path), "\(error)"))
                }
            }
            if !changed.isEmpty { try Self.run(git, ["restore", "--worktree"], changed) }
        }
    }

    /// The files that differ from the index.
    private func modified(_ paths: [[UInt8]], _ git: GitCommand) throws(RoundelError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        let words = [
            "status", "--porcelain=v2", "-z", "--no-renames", "--ignore-submodules=all", "--untracked-files=no", "--",
        ]
        for start in stride(from: 0, to: paths.count, by: Self.mostPaths) {
            let some = paths[start..<min(start + Self.mostPaths, paths.count)]
            let status = git.run(bytes: words.map { Array($0.utf8) } + some)
            guard status.isDone else { throw Self.failed(status.problem) }
            found += StatusOutput(status.output).entries.filter(\.isModified).map(\.path)
        }
        return found
    }

    /// The program that compares a file with what it was in the last commit, and its arguments.
    /// - Parameter directory: Where the file of the last commit is put.
    /// - Throws: As ``stage(_:)``.
    package func comparison(of items: [ItemURI], in directory: FilePath) throws(RoundelError) -> [String] {
        guard items.count == 1, let item = items.first else {
            throw Self.failed(tr("Choose one file to compare."))
        }
        let version = try lastVersion(of: item, in: directory)
        guard let words = CompareTool.words(for: version, item.filePath) else {
            throw Self.failed(tr("No program that compares files is installed. Install one, such as meld."))
        }
        return words
    }

    private func lastVersion(of item: ItemURI, in directory: FilePath) throws(RoundelError) -> FilePath {
        guard let tree = trees(of: [item]).first, let path = tree.paths.first, let name = item.name else {
            throw Self.failed(tr("“{1}” is in no repository.", item.displayName))
        }
        let version = GitCommand(in: tree.root).run(bytes: [
            Array("cat-file".utf8), Array("blob".utf8), Array("HEAD:".utf8) + path,
        ])
        guard version.isDone else {
            throw Self.failed(tr("“{1}” is not in the last commit.", item.displayName))
        }
        let folder = directory.appending(String(UInt64.random(in: .min ... .max), radix: 16))
        let file = ItemURI.child(name, of: folder)
        do throws(Errno) {
            try SmallFile.replace(file, with: version.output, permissions: .ownerRead)
        } catch {
            throw Self.failed(tr("The last version cannot be written to {1}: {2}.", "\(file)", "\(error)"))
        }
        return file
    }

    // MARK: Parts

    /// Git for a repository whose filters are the person's own: without its filters git would put something else into
    /// the index, and into the files, than belongs there.
    private static func withoutOwnFilters(_ root: ItemURI) throws(RoundelError) -> GitCommand {
        let git = GitCommand(in: root)
        guard !git.hasOwnFilters else {
            throw failed(
                tr(
                    """
                    “{1}” has filters of its own, which Roundel does not run. Do this with git in a terminal.
                    """, root.displayName))
        }
        return git
    }

    private static func run(_ git: GitCommand, _ words: [String], _ paths: [[UInt8]]) throws(RoundelError) {
        let input: [UInt8] = paths.reduce(into: []) { $0 += $1 + [0] }
        let outcome = git.run(words + ["--pathspec-from-file=-", "--pathspec-file-nul"], input: input)
        guard outcome.isDone else { throw failed(outcome.problem) }
    }

    private static func failed(_ sentence: String) -> RoundelError { RoundelError(.failed, sentence) }
}

extension ItemURI {
    fileprivate static func child(_ name: ItemName, of folder: FilePath) -> FilePath {
        (try? ItemURI(path: folder).appending(name).filePath) ?? folder
    }
}
