import CLinux
import Glibc
import SystemPackage
import TestSupport

@testable import FileWatch

/// What a provider would know of a folder that lists only what the watcher names.
///
/// Paths are bytes here: a debug build spends milliseconds on each `FilePath` operation.
struct Mirror {
    typealias Name = [UInt8]

    struct Item: Equatable {
        var isDirectory: Bool
        var inode: UInt64
        var mode: UInt32
        var size: UInt64
    }

    /// A directory that was listed.
    private final class Directory {
        var items: [Name: Item] = [:]
        var children: [Name: Directory] = [:]
    }

    private let root: [UInt8]
    private var top = Directory()

    init(of root: FilePath) {
        self.root = Self.bytes(root)
        listEverything()
    }

    mutating func apply(_ events: some Sequence<WatchEvent>) {
        for case .changed(let changes) in events { apply(changes) }
    }

    mutating func apply(_ changes: TreeChanges) {
        if changes.overflow { return listEverything() }
        for item in changes.items { look(at: Self.components(item)) }
        for directory in changes.directories.map(Self.components).sorted(by: { $0.count < $1.count }) {
            if let known = find(directory) { list(known, directory) }
        }
    }

    /// Where the two differ, in words.
    func differences(from other: Mirror) -> [String] {
        var found: [String] = []
        compare(top, other.top, "", &found)
        return found
    }

    /// The number of items.
    var count: Int {
        func count(_ directory: Directory) -> Int {
            directory.items.count + directory.children.values.reduce(0) { $0 + count($1) }
        }
        return count(top)
    }

    private func compare(_ mine: Directory, _ theirs: Directory, _ path: String, _ found: inout [String]) {
        for name in Set(mine.items.keys).union(theirs.items.keys).union(mine.children.keys).union(theirs.children.keys)
        {
            let label = path + "/" + String(decoding: name, as: UTF8.self)
            if mine.items[name] != theirs.items[name] {
                found.append("\(label): knows \(describe(mine.items[name])), is \(describe(theirs.items[name]))")
            }
            switch (mine.children[name], theirs.children[name]) {
            case (let left?, let right?): compare(left, right, label, &found)
            case (nil, nil): break
            case (nil, _): found.append("\(label) was never listed")
            case (_, nil): found.append("\(label) was listed and is not there")
            }
        }
    }

    private func describe(_ item: Item?) -> String { item.map { "\($0)" } ?? "nothing" }

    private mutating func listEverything() {
        top = Directory()
        func descend(_ directory: Directory, _ path: [Name]) {
            list(directory, path)
            for (name, child) in directory.children { descend(child, path + [name]) }
        }
        descend(top, [])
        // Listing a directory makes room for its directories; here all of them are listed at once.
    }

    private func find(_ path: [Name]) -> Directory? {
        var current = top
        for name in path {
            guard let item = current.items[name], item.isDirectory else { return nil }
            if current.children[name] == nil { current.children[name] = Directory() }
            guard let next = current.children[name] else { return nil }
            current = next
        }
        return current
    }

    private func look(at path: [Name]) {
        guard let name = path.last else { return list(top, []) }
        guard let parent = find(path.dropLast()) else { return }
        set(item(at: path), name, in: parent)
    }

    private func list(_ directory: Directory, _ path: [Name]) {
        let descriptor = full(path).withUnsafeBufferPointer { clinux_open_directory(AT_FDCWD, $0.baseAddress) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var names: Set<Name> = []
        for entry in entries(of: descriptor) { names.insert(entry.name.dropLast().map { UInt8(bitPattern: $0) }) }
        for known in directory.items.keys where !names.contains(known) { set(nil, known, in: directory) }
        for name in names { set(item(at: path + [name]), name, in: directory) }
    }

    private func set(_ item: Item?, _ name: Name, in directory: Directory) {
        // Another item under the same name: what was known of the old directory says nothing about it. The number
        // alone does not tell: file systems give the number of a removed directory to the file that is made next.
        let isSame = directory.items[name]?.inode == item?.inode && item?.isDirectory ?? false
        if !isSame { directory.children[name] = nil }
        directory.items[name] = item
        if let item, item.isDirectory, directory.children[name] == nil { directory.children[name] = Directory() }
    }

    private func item(at path: [Name]) -> Item? {
        var status = clinux_status()
        let result = full(path).withUnsafeBufferPointer { name in
            name.baseAddress.map { clinux_status(AT_FDCWD, $0, &status) } ?? -1
        }
        guard result == 0 else { return nil }
        let isDirectory = status.mode & S_IFMT == S_IFDIR
        // Entries change a directory's size, and nobody is told that as a change of the directory.
        return Item(
            isDirectory: isDirectory, inode: status.inode, mode: status.mode, size: isDirectory ? 0 : status.size)
    }

    private func full(_ path: [Name]) -> [CChar] {
        var bytes = root
        for name in path { bytes += [UInt8(ascii: "/")] + name }
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }

    private static func components(_ path: FilePath) -> [Name] {
        bytes(path).split(separator: UInt8(ascii: "/")).map { Array($0) }
    }

    private static func bytes(_ path: FilePath) -> [UInt8] {
        path.withPlatformString { string in
            UnsafeBufferPointer(start: string, count: strlen(string)).map { UInt8(bitPattern: $0) }
        }
    }
}
