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
            // Of a whole folder git would look into the submodules in it as well, and run what their settings name.
            let entries = try Self.entries(
                tree.paths, ["--ignore-submodules=dirty", "--untracked-files=normal"], git)
            let paths =
                entries.filter { $0.isModified || $0.state == .untracked }.map(\.path)
                + Self.chosenConflicts(entries, tree.paths)
            if !paths.isEmpty { try Self.run(git, ["add", "-A"], paths) }
        }
    }

    /// - Throws: As ``stage(_:)``.
    package func unstage(_ items: [ItemURI]) throws(RoundelError) {
        for tree in trees(of: items) {
            let git = GitCommand(in: tree.root)
            let entries = try Self.entries(
                tree.paths, ["--ignore-submodules=dirty", "--untracked-files=no"], git)
            let paths = entries.filter(\.isStaged).map(\.path) + Self.chosenConflicts(entries, tree.paths)
            if !paths.isEmpty { try Self.run(git, ["reset", "-q"], paths) }
        }
    }

    /// The conflicts, if nothing else was chosen. To stage or unstage a file ends its conflict, which nobody means who
    /// chose the folder that it is in.
    private static func chosenConflicts(_ entries: [StatusOutput.Entry], _ chosen: [[UInt8]]) -> [[UInt8]] {
        let conflicts = entries.filter { $0.state == .conflicted }.map(\.path)
        return Set(chosen).isSubset(of: conflicts) ? conflicts : []
    }

    /// Puts the files as they are into the trash, then gets them from the index. If that fails they are put back.
    /// - Throws: As ``stage(_:)``.
    package func discard(_ items: [ItemURI]) throws(RoundelError) {
        for tree in trees(of: items) {
            let git = try Self.withoutOwnFilters(tree.root)
            let changed = try Self.entries(
                tree.paths, ["--ignore-submodules=all", "--untracked-files=no"], git
            ).filter { $0.isModified && $0.isInIndex }.map(\.path)
            // What is behind a link is not in the work tree, even if the index says that it was.
            if let path = changed.first(where: { Self.isBehindLink($0, tree.root) }) {
                throw Self.failed(tr("“{1}” lies behind a symbolic link.", DisplayText.decoding(path)))
            }
            var kept: [TrashBin.Kept] = []
            do throws(RoundelError) {
                for path in changed { if let item = try putIntoTrash(path, tree.root) { kept.append(item) } }
                if !changed.isEmpty { try Self.run(git, ["restore", "--worktree"], changed) }
            } catch {
                for item in kept { trash.putBack(item) }
                throw error
            }
        }
    }

    /// - Returns: nil for a file that was deleted, and is to come back.
    private func putIntoTrash(_ path: [UInt8], _ root: ItemURI) throws(RoundelError) -> TrashBin.Kept? {
        do throws(Errno) {
            return try trash.put(root.pathBytes + [UInt8(ascii: "/")] + path)
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch {
            throw Self.failed(
                tr("“{1}” cannot be put into the trash: {2}.", DisplayText.decoding(path), "\(error)"))
        }
    }

    /// Whether a directory above a path, below the root, is a symbolic link.
    private static func isBehindLink(_ path: [UInt8], _ root: ItemURI) -> Bool {
        var place = root.pathBytes
        for name in path.split(separator: UInt8(ascii: "/")).dropLast() {
            place += [UInt8(ascii: "/")] + name
            var status = stat()
            guard lstat(place.map { CChar(bitPattern: $0) } + [0], &status) == 0 else { return false }
            if status.st_mode & S_IFMT == S_IFLNK { return true }
        }
        return false
    }

    /// What git says of these paths and of all below them.
    private static func entries(
        _ paths: [[UInt8]], _ more: [String], _ git: GitCommand
    ) throws(RoundelError) -> [StatusOutput.Entry] {
        var found: [StatusOutput.Entry] = []
        let words = ["status", "--porcelain=v2", "-z", "--no-renames"] + more + ["--"]
        for start in stride(from: 0, to: paths.count, by: mostPaths) {
            let some = paths[start..<min(start + mostPaths, paths.count)]
            let status = git.run(bytes: words.map { Array($0.utf8) } + some)
            guard status.isDone else { throw failed(status.problem) }
            found += StatusOutput(status.output).entries
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
        guard let words = RepositoryCompareTool.words(for: version, item.filePath) else {
            throw Self.failed(tr("No program that compares files is installed. Install one, such as meld."))
        }
        return words
    }

    /// Removes the versions that an earlier run of the engine put there: nothing says when a comparison ends.
    package static func removeVersions(in directory: FilePath) {
        guard ListedItem.kind(of: directory) == .directory else { return }
        for folder in (try? ListedItem.list(directory)) ?? [] where folder.kind == .directory {
            guard let name = try? ItemName(bytes: folder.name) else { continue }
            let place = ItemURI.child(name, of: directory)
            guard place != directory else { continue }
            for file in (try? ListedItem.list(place)) ?? [] {
                guard let name = try? ItemName(bytes: file.name) else { continue }
                _ = ItemURI.child(name, of: place).withPlatformString { unlink($0) }
            }
            _ = place.withPlatformString { rmdir($0) }
        }
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
        let outcome = git.run(
            words + ["--pathspec-from-file=-", "--pathspec-file-nul"], input: input, isAction: true)
        guard outcome.isDone else { throw failed(outcome.problem) }
    }

    private static func failed(_ sentence: String) -> RoundelError { RoundelError(.failed, sentence) }
}

extension ItemURI {
    fileprivate static func child(_ name: ItemName, of folder: FilePath) -> FilePath {
        (try? ItemURI(path: folder).appending(name).filePath) ?? folder
    }
}
