internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// Brings what was written beneath a folder while it was not mounted to where its contents are.
enum StrayMover {
    /// How many names are tried for one item.
    private static let attempts = 1_000
    private static let deepest = 200

    /// Moves everything that is in one directory into another, and leaves nothing out: what has a name that is taken
    /// gets another.
    ///
    /// - Returns: How many items were moved.
    static func move(from strays: BackingFile, to contents: BackingFile) throws(Errno) -> Int {
        try move(strays, contents, depth: 0)
    }

    private static func move(_ strays: BackingFile, _ contents: BackingFile, depth: Int) throws(Errno) -> Int {
        var moved = 0
        for name in try strays.names() {
            if try rename(name, strays, to: name, contents) {
                moved += 1
                continue
            }
            // Two directories are one.
            let flags = O_RDONLY | O_DIRECTORY
            if depth < deepest, let inner = try? BackingPlace.entry(strays, name).open(flags),
                let target = try? BackingPlace.entry(contents, name).open(flags)
            {
                moved += try move(inner, target, depth: depth + 1)
                try checked { name.withPointer { unlinkat(strays.raw, $0, AT_REMOVEDIR) } }
            } else {
                try moveAside(name, strays, contents)
                moved += 1
            }
        }
        return moved
    }

    private static func moveAside(_ name: NodeName, _ strays: BackingFile, _ contents: BackingFile) throws(Errno) {
        for attempt in 1...attempts {
            guard let other = otherName(for: name, attempt) else { continue }
            if try rename(name, strays, to: other, contents) { return }
        }
        throw .fileExists
    }

    /// `Letter (recovered).odt`, then `Letter (recovered 2).odt`.
    static func otherName(for name: NodeName, _ attempt: Int) -> NodeName? {
        let bytes = Array(name.bytes)
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? bytes.count
        let suffix = Array((attempt == 1 ? " (recovered)" : " (recovered \(attempt))").utf8) + bytes[dot...]
        guard suffix.count < NodeName.limit else { return nil }
        var stem = bytes[..<dot].prefix(NodeName.limit - suffix.count)
        // Not within a character.
        while stem.count < dot, let next = bytes[stem.endIndex...].first, next & 0xC0 == 0x80 { stem = stem.dropLast() }
        return NodeName(stem + suffix)
    }

    /// - Returns: False if the name is taken.
    private static func rename(
        _ name: NodeName, _ strays: BackingFile, to other: NodeName, _ contents: BackingFile
    ) throws(Errno) -> Bool {
        do throws(Errno) {
            try checked {
                name.withPointer { old in
                    other.withPointer { clinux_renameat2(strays.raw, old, contents.raw, $0, CLINUX_RENAME_NOREPLACE) }
                }
            }
            return true
        } catch .fileExists {
            return false
        } catch {
            throw error
        }
    }
}
