internal import Glibc
package import RoundelBus
internal import Support

/// Answers the questions of ``GitCore`` from the disk and from git. Each answer may wait for a disk.
package struct RepositoryReader: Sendable {
    private let folders: [ItemURI]

    /// How many items are looked at to find out whether a directory holds a file.
    private static let mostLooked = 1_000

    /// - Parameter folders: The registered folders.
    package init(_ folders: [ItemURI]) { self.folders = folders }

    /// The answer to a question.
    package func answer(_ job: GitCore.Job) -> GitCore.Outcome {
        switch job {
        case .directory(let directory): .directory(report(of: directory))
        case .sum(let root): .repository(Self.isRepository(root) ? sum(of: root) : RepositoryReport())
        case .branch(let folder): .repository(Self.isRepository(folder) ? branch(of: folder) : RepositoryReport())
        }
    }

    // MARK: Finding repositories

    /// Whether there is a work tree of its own at a directory.
    package static func isRepository(_ directory: ItemURI) -> Bool {
        ListedItem.kind(of: directory.appending(.git).filePath) != nil
    }

    /// The root of the work tree in which an item is; nil outside of one. A registered folder is not left.
    package func root(of item: ItemURI) -> ItemURI? {
        guard let folder = folders.first(where: { item.isWithin($0) }) else { return nil }
        var place = item
        while true {
            if Self.isRepository(place) { return place }
            guard place != folder, let parent = place.parent else { return nil }
            place = parent
        }
    }

    // MARK: A directory

    private func report(of directory: ItemURI) -> DirectoryReport {
        guard folders.contains(where: { directory.isWithin($0) }) else { return reportOfFolders(in: directory) }
        let items = ((try? ListedItem.list(directory.filePath)) ?? []).compactMap { item in
            (try? ItemName(bytes: item.name)).map { (name: $0, kind: item.kind) }
        }.sorted { $0.name < $1.name }
        let isInside = directory.path.split(separator: "/").contains(".git")
        let root = isInside ? nil : root(of: directory)
        let nested = items.filter { $0.kind == .directory && Self.isRepository(directory.appending($0.name)) }
        guard let root, let states = states(of: directory, in: root) else {
            return DirectoryReport(
                items: items.map { ($0.name, nil) }, nested: isInside ? [] : Set(nested.map(\.name)))
        }
        let named = items.map { item -> (name: ItemName, state: FileState?) in
            if item.name == .git { return (item.name, nil) }
            let state = states.state(of: item.name.bytes)
            // Git keeps no pipes, sockets and devices, and directories only for the files in them.
            let isKnown =
                switch item.kind {
                case .directory: holdsFile(directory.appending(item.name))
                case .special: false
                case .file, .symlink: true
                }
            return (item.name, state ?? (isKnown ? .clean : nil))
        }
        var report = DirectoryReport(items: named, nested: Set(nested.map(\.name)))
        report.staged = Set(items.map(\.name).filter { states.staged.contains($0.bytes) })
        return report
    }

    /// The folders themselves belong to the directories that hold them.
    private func reportOfFolders(in directory: ItemURI) -> DirectoryReport {
        let names = folders.filter { $0.parent == directory }.compactMap(\.name).sorted()
        let nested = names.filter { Self.isRepository(directory.appending($0)) }
        return DirectoryReport(items: names.map { ($0, nil) }, nested: Set(nested))
    }

    private func states(of directory: ItemURI, in root: ItemURI) -> DirectoryStates? {
        let path = root.relativeBytes(of: directory)
        let status = Self.status(GitCommand(in: root), ["--ignored=matching"], path)
        return status.isDone ? DirectoryStates(StatusOutput(status.output).entries, in: path) : nil
    }

    /// `git status`, without a change of the index that would be a change to look at again, and without a look into
    /// submodules, whose own settings would count there.
    private static func status(_ git: GitCommand, _ more: [String], _ path: [UInt8]) -> GitCommand.Outcome {
        let words =
            ["status", "--porcelain=v2", "-z", "--no-renames", "--ignore-submodules=dirty", "--untracked-files=normal"]
            + more
        return git.run(bytes: (words + ["--"]).map { Array($0.utf8) } + [path.isEmpty ? Array(".".utf8) : path])
    }

    /// Whether there is a file in a directory or below it. Git does not know directories without one.
    private func holdsFile(_ directory: ItemURI) -> Bool {
        var waiting = [directory.pathBytes]
        var looked = 0
        while let place = waiting.popLast() {
            guard let stream = opendir(place.map { CChar(bitPattern: $0) } + [0]) else { return true }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
                if name == Array(".".utf8) || name == Array("..".utf8) { continue }
                looked += 1
                guard entry.pointee.d_type == UInt8(DT_DIR), looked < Self.mostLooked else { return true }
                waiting.append(place + [UInt8(ascii: "/")] + name)
            }
        }
        return false
    }

    // MARK: A whole work tree

    private func sum(of root: ItemURI) -> RepositoryReport {
        let status = Self.status(GitCommand(in: root), ["--branch"], [])
        guard status.isDone else { return RepositoryReport(problem: status.problem) }
        let output = StatusOutput(status.output)
        var report = RepositoryReport(state: output.sum, branch: output.branch)
        report.isStaged = output.entries.contains(where: \.isStaged)
        return report
    }

    /// The branch alone: no item is looked at.
    private func branch(of root: ItemURI) -> RepositoryReport {
        let status = GitCommand(in: root).run([
            "status", "--porcelain=v2", "-z", "--branch", "--untracked-files=no", "--ignore-submodules=all", "--",
            ".git",
        ])
        guard status.isDone else { return RepositoryReport(problem: status.problem) }
        return RepositoryReport(branch: StatusOutput(status.output).branch)
    }
}
