import CLinux
import Glibc
import SystemPackage

@testable import FileWatch

/// What a provider would know of a folder that lists only what the watcher names.
struct Mirror {
    struct Item: Equatable, CustomStringConvertible {
        var isDirectory: Bool
        var inode: UInt64
        var mode: UInt32
        var size: Int64
        var description: String { "\(isDirectory ? "directory" : "file") \(inode) \(String(mode, radix: 8)) \(size)" }
    }

    let root: FilePath
    /// The items of each directory that was listed.
    private(set) var directories: [FilePath: [FilePath.Component: Item]] = [:]

    init(of root: FilePath) {
        self.root = root
        listEverything()
    }

    mutating func apply(_ events: some Sequence<WatchEvent>) {
        for case .changed(let changes) in events { apply(changes) }
    }

    mutating func apply(_ changes: FolderChanges) {
        if changes.overflow { return listEverything() }
        for item in changes.items { look(at: item) }
        for directory in changes.directories.sorted(by: { $0.components.count < $1.components.count }) {
            list(directory)
        }
    }

    /// Where the two differ, in words.
    func differences(from other: Mirror) -> [String] {
        var found: [String] = []
        for (path, items) in directories where other.directories[path] != items {
            let theirs = other.directories[path]
            found.append("\(path): \(items) instead of \(theirs.map { "\($0)" } ?? "nothing")")
        }
        for path in other.directories.keys where directories[path] == nil { found.append("\(path) is not known") }
        return found
    }

    private mutating func listEverything() {
        directories = [:]
        var pending: [FilePath] = [""]
        while let next = pending.popLast() {
            list(next)
            for (name, item) in directories[next] ?? [:] where item.isDirectory { pending.append(next.appending(name)) }
        }
    }

    private mutating func look(at path: FilePath) {
        guard let name = path.lastComponent else { return list(path) }
        let parent = path.removingLastComponent()
        set(Self.item(at: root.pushing(path)), name, in: parent)
    }

    private mutating func list(_ path: FilePath) {
        let full = root.pushing(path)
        let descriptor = full.withPlatformString { clinux_open_directory(AT_FDCWD, $0) }
        guard descriptor >= 0 else { return forget(path) }
        defer { close(descriptor) }
        let names = entries(of: descriptor).map(\.name)
        if directories[path] == nil { directories[path] = [:] }
        for known in directories[path, default: [:]].keys where !names.contains(known) { set(nil, known, in: path) }
        for name in names { set(Self.item(at: full.appending(name)), name, in: path) }
    }

    private mutating func set(_ item: Item?, _ name: FilePath.Component, in parent: FilePath) {
        guard directories[parent] != nil else { return }
        let old = directories[parent]?[name]
        // Another directory under the same name: what was known of the old one says nothing about it.
        if let old, old.isDirectory, old.inode != item?.inode { forget(parent.appending(name)) }
        directories[parent]?[name] = item
    }

    private mutating func forget(_ path: FilePath) {
        directories = directories.filter { !$0.key.starts(with: path) }
    }

    private static func item(at path: FilePath) -> Item? {
        var status = clinux_status()
        guard path.withPlatformString({ clinux_status(AT_FDCWD, $0, &status) }) == 0 else { return nil }
        let isDirectory = status.mode & S_IFMT == S_IFDIR
        // Entries change a directory's size, and nobody is told that as a change of the directory.
        return Item(
            isDirectory: isDirectory, inode: status.inode, mode: status.mode, size: isDirectory ? 0 : Int64(status.size)
        )
    }
}
