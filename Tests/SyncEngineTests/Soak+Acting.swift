import Foundation
import Glibc
import SyncCore
import SystemPackage
import TestSupport

@testable import SyncEngine

/// Rounds in which each item is touched on one side alone.
extension Soak {
    private static let fileModes: [UInt32] = [0o644, 0o600, 0o664, 0o755, 0o700, 0o400, 0o444, 0o640]
    /// Only the superuser gets into what is closed to him.
    private static let directoryModes: [UInt32] =
        [0o755, 0o700, 0o750, 0o775] + (geteuid() == 0 ? [0o555, 0o500] : [])

    /// One thing that a person does on a side.
    mutating func act(_ side: Side) throws {
        switch below(12) {
        case 0, 1, 2: try create(side)
        case 3: try createDirectory(side)
        case 4, 5: try edit(side, inPlace: true)
        case 6: try edit(side, inPlace: false)
        case 7: try rename(side)
        case 8: try delete(side)
        case 9, 10: try changeMode(side)
        default: try setAttribute(side)
        }
    }

    // MARK: Choosing

    private func isFree(_ path: String) -> Bool {
        !touched.contains(path) && !frozen.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    private mutating func pick(_ isWanted: (SoakItem) -> Bool) -> (path: String, item: SoakItem)? {
        let free = expected.filter { isFree($0.key) && isWanted($0.value) }.sorted { $0.key < $1.key }
        return free.randomElement(using: &random).map { ($0.key, $0.value) }
    }

    private mutating func pickFile() -> (path: String, item: SoakItem)? { pick { $0.contents != nil } }

    /// A path that nothing has, in a directory that is there on this side now.
    private mutating func newPath(_ prefix: String, _ side: Side) -> String {
        let directories = expected.filter { path, item in
            item.contents == nil && !frozen.contains { path == $0 || path.hasPrefix($0 + "/") }
                && directory(side).exists(path) && path.split(separator: "/").count < 4
        }
        let name = "\(prefix)\(nextNumber())"
        let parents = [""] + directories.keys.sorted().map { $0 + "/" }
        return (parents.randomElement(using: &random) ?? "") + name
    }

    private mutating func mode(_ modes: [UInt32]) -> UInt32 { modes.randomElement(using: &random) ?? 0o600 }

    private func path(_ path: String, _ side: Side) -> String { directory(side).path.appending(path).string }

    // MARK: Doing

    private mutating func create(_ side: Side) throws {
        let (new, mode) = (newPath("f", side), mode(Self.fileModes))
        let contents = "contents \(nextNumber())"
        try write(contents, to: path(new, side), mode)
        note("\(side) makes \(new) with \(String(mode, radix: 8))")
        add(new, SoakItem(contents: contents, owner: mode & 0o700), mode, side)
    }

    private mutating func createDirectory(_ side: Side) throws {
        let (new, mode) = (newPath("d", side), mode(Self.directoryModes))
        try SystemCall.value { mkdir(path(new, side), 0o700) }
        try SystemCall.value { chmod(path(new, side), mode) }
        note("\(side) makes the directory \(new) with \(String(mode, radix: 8))")
        add(new, SoakItem(contents: nil, owner: mode & 0o700), mode, side)
    }

    private mutating func add(_ path: String, _ item: SoakItem, _ mode: UInt32, _ side: Side) {
        var item = item
        item.mode = [side: mode, side.other: mode]
        expected[path] = item
        touched.insert(path)
    }

    private func write(_ contents: String, to path: String, _ mode: UInt32) throws {
        let raw = try SystemCall.value { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
        let file = Descriptor(owning: raw)
        try file.writeAll(Array(contents.utf8))
        try file.setPermissions(mode)
    }

    /// Programs write into a file, or write a new one and rename it over the old one.
    private mutating func edit(_ side: Side, inPlace: Bool) throws {
        guard let (old, item) = pickFile(), inPlace ? canWrite(item, side) : canChange(old, side) else { return }
        let before = item.mode[side] ?? 0o600
        let mode = inPlace ? before : mode(Self.fileModes)
        var contents = "contents \(nextNumber())"
        // Of the same size, so that only times and identities tell.
        if below(2) == 0 { contents = String(contents.prefix(item.contents?.count ?? 0)) + "" }
        if inPlace {
            try write(contents, to: path(old, side), mode)
        } else {
            let new = (path(old, side) as NSString).deletingLastPathComponent + "/.new~"
            try write(contents, to: new, mode)
            try SystemCall.value { Glibc.rename(new, path(old, side)) }
            expected[old]?.attributes[side] = [:]
        }
        note("\(side) edits \(old)\(inPlace ? "" : " by renaming, with \(String(mode, radix: 8))")")
        expected[old]?.contents = contents
        set(mode, old, side)
        touched.insert(old)
    }

    private func canWrite(_ item: SoakItem, _ side: Side) -> Bool {
        geteuid() == 0 || (item.mode[side] ?? 0) & 0o200 != 0
    }

    private func canChange(_ path: String, _ side: Side) -> Bool {
        let parent = (self.path(path, side) as NSString).deletingLastPathComponent
        return access(parent, W_OK | X_OK) == 0
    }

    /// The item has this mode on a side now, and the owner's part of it on both.
    private mutating func set(_ mode: UInt32, _ path: String, _ side: Side) {
        let before = expected[path]?.mode[side] ?? 0
        expected[path]?.mode[side] = mode
        expected[path]?.owner = mode & 0o700
        expected[path]?.closed = before & ~mode & 0o077
    }

    private mutating func rename(_ side: Side) throws {
        guard let (old, item) = pick({ _ in true }), isQuiet(old), canChange(old, side) else { return }
        freeze(old)
        let new = newPath(item.contents == nil ? "d" : "f", side)
        try SystemCall.value { Glibc.rename(path(old, side), path(new, side)) }
        note("\(side) renames \(old) to \(new)")
        for (path, item) in expected where path == old || path.hasPrefix(old + "/") {
            expected[path] = nil
            expected[new + path.dropFirst(old.count)] = item
        }
        freeze(new)
    }

    private mutating func delete(_ side: Side) throws {
        guard expected.count > 12, let (old, _) = pick({ _ in true }), isQuiet(old), canChange(old, side) else {
            return
        }
        freeze(old)
        try FileManager.default.removeItem(atPath: path(old, side))
        note("\(side) deletes \(old)")
        for path in expected.keys where path == old || path.hasPrefix(old + "/") { expected[path] = nil }
    }

    /// Whether nothing at or below a path was touched.
    private func isQuiet(_ path: String) -> Bool {
        !touched.union(frozen).contains { $0 == path || $0.hasPrefix(path + "/") }
    }

    private mutating func freeze(_ path: String) { frozen.insert(path) }

    private mutating func changeMode(_ side: Side) throws {
        guard let (old, item) = pick({ _ in true }) else { return }
        let mode = mode(item.contents == nil ? Self.directoryModes : Self.fileModes)
        try SystemCall.value { chmod(path(old, side), mode) }
        note("\(side) gives \(old) the mode \(String(mode, radix: 8))")
        set(mode, old, side)
        touched.insert(old)
    }

    /// An attribute is not synced: it stays with the item of this side.
    private mutating func setAttribute(_ side: Side) throws {
        guard let (old, _) = pick({ ($0.mode[side] ?? 0) & 0o200 != 0 }) else { return }
        let (name, value) = ("user.soak.\(below(3))", "value \(nextNumber())")
        try directory(side).setAttribute(old, name, Array(value.utf8))
        note("\(side) gives \(old) the attribute \(name)")
        expected[old]?.attributes[side, default: [:]][name] = value
        touched.insert(old)
    }

    // MARK: Everything everywhere

    /// One thing that happens on a side whatever happens on the other.
    mutating func disturb(_ side: Side) throws {
        let there = try SoakItem.all(in: directory(side), side).sorted { $0.key < $1.key }
        guard let one = there.randomElement(using: &random), let other = there.randomElement(using: &random) else {
            return
        }
        let old = path(one.key, side)
        let into = other.value.contents == nil ? other.key + "/" : ""
        let new = path(into + "n\(below(6))", side)
        note("\(side): \(one.key), \(into)")
        // What is impossible did not happen.
        switch below(7) {
        case 0, 1: try? write("contents \(nextNumber())", to: new, mode(Self.fileModes))
        case 2: if one.value.contents != nil { try? write("contents \(nextNumber())", to: old, mode(Self.fileModes)) }
        case 3: _ = Glibc.rename(old, new)
        case 4: if there.count > 12 { try? FileManager.default.removeItem(atPath: old) }
        case 5: _ = mkdir(new, mode(Self.directoryModes))
        default:
            _ = chmod(old, mode(one.value.contents == nil ? Self.directoryModes : Self.fileModes))
        }
    }
}
