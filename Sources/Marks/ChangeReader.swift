internal import CLinux
internal import Glibc
internal import RoundelBus
internal import Support

/// Looks at the times of items. A change of an item's contents, name or rights moves its time of change, which no program
/// can set back, and one in a directory moves the directory's.
enum ChangeReader {
    /// The names in a directory with whether each is done, ordered by their bytes.
    static func items(of directory: ItemURI, _ mark: Mark) -> [(name: ItemName, isDone: Bool)] {
        let names = ((try? ListedItem.list(directory.filePath)) ?? []).compactMap { try? ItemName(bytes: $0.name) }
        return names.sorted().map { ($0, isDone(directory.appending($0), mark)) }
    }

    /// Whether an item, and all that is in it, is as it was when the last successful run began. What is
    /// not there, or cannot be read, is not known to be.
    static func isDone(_ item: ItemURI, _ mark: Mark) -> Bool {
        guard mark.done != nil else { return false }
        let root = PercentCoding.decode(item.path) ?? []
        var waiting = [root]
        while let path = waiting.popLast() {
            guard let found = status(of: path) else {
                // What went meanwhile changed the directory that it was in, which is looked at again for that.
                guard errno == ENOENT, path != root else { return false }
                continue
            }
            guard mark.isDone(changed: found.changed / 1_000) else { return false }
            guard found.mode & 0o170000 == 0o040000 else { continue }
            guard let names = names(in: path) else { return false }
            waiting += names.map { path + [UInt8(ascii: "/")] + $0 }
        }
        return true
    }

    private static func status(of path: [UInt8]) -> clinux_status? {
        var found = clinux_status()
        let text = path.map { CChar(bitPattern: $0) } + [0]
        return clinux_status(AT_FDCWD, text, &found) == 0 ? found : nil
    }

    /// The names in a directory; nil if they cannot be read to the last.
    private static func names(in directory: [UInt8]) -> [[UInt8]]? {
        guard let stream = opendir(directory.map { CChar(bitPattern: $0) } + [0]) else { return nil }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
            errno = 0
        }
        return errno == 0 ? names : nil
    }
}
