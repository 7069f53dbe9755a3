internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import Support
internal import Synchronization
internal import SystemPackage

/// An open description of something behind the mounted folder, closed when the last reference is gone.
final class BackingFile: Sendable {
    let raw: Int32
    private let isOwner: Atomic<Bool>

    /// Takes over the descriptor.
    init(owning raw: Int32) {
        self.raw = raw
        isOwner = Atomic(true)
    }

    /// Uses a descriptor that somebody else closes, later.
    init(borrowing raw: Int32) {
        self.raw = raw
        isOwner = Atomic(false)
    }

    deinit {
        if isOwner.load(ordering: .relaxed) { close(raw) }
    }

    /// Leaves the descriptor to the caller, who closes it.
    func handOver() -> Int32 {
        isOwner.store(false, ordering: .relaxed)
        return raw
    }

    /// The status of the file itself.
    func status() throws(Errno) -> cfuse_item {
        var item = cfuse_item()
        try checked { cfuse_look(raw, "", &item) }
        return item
    }

    func setSize(_ size: UInt64) throws(Errno) {
        guard let size = off_t(exactly: size) else { throw .fileTooLarge }
        try checked { ftruncate(raw, size) }
    }

    func synchronize() throws(Errno) { try checked { fsync(raw) } }

    /// Sets the dates to those of a status.
    func setTimes(of item: fuse_attr) throws(Errno) {
        let times = [
            timespec(tv_sec: Int(truncatingIfNeeded: item.atime), tv_nsec: Int(item.atimensec)),
            timespec(tv_sec: Int(truncatingIfNeeded: item.mtime), tv_nsec: Int(item.mtimensec)),
        ]
        try checked { futimens(raw, times) }
    }

    /// Sets the date, in nanoseconds since 1970.
    func setModified(_ time: Int64) throws(Errno) {
        let times = [timespec(tv_sec: 0, tv_nsec: CLINUX_UTIME_OMIT), FileTime(nanoseconds: time).timespec]
        try checked { futimens(raw, times) }
    }

    /// The value of an extended attribute of at most `limit` bytes; nil if it has none.
    func extended(_ name: String, limit: Int) throws(Errno) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: limit)
        do throws(Errno) {
            let count = try checked { fgetxattr(raw, name, &value, limit) }
            return Array(value.prefix(count))
        } catch .noData, .notSupported {
            return nil
        } catch {
            throw error
        }
    }

    func setExtended(_ name: String, _ value: [UInt8]) throws(Errno) {
        try checked { fsetxattr(raw, name, value, value.count, 0) }
    }

    /// Removes an extended attribute, if it is there.
    func removeExtended(_ name: String) throws(Errno) {
        do throws(Errno) {
            try checked { fremovexattr(raw, name) }
        } catch .noData {
            return
        } catch {
            throw error
        }
    }

    /// The names of all that is in a directory that is open for reading.
    func names() throws(Errno) -> [NodeName] {
        var names: [NodeName] = []
        var buffer = [UInt8](repeating: 0, count: 32 << 10)
        try checked { lseek(raw, 0, SEEK_SET) }
        while true {
            let count = try checked { clinux_list(raw, &buffer, buffer.count) }
            if count == 0 { return names }
            buffer.withUnsafeBytes { bytes in
                var rest = bytes[..<count]
                while let entry = ListedEntry(UnsafeRawBufferPointer(rebasing: rest)) {
                    rest = rest.dropFirst(entry.length)
                    if let name = NodeName(entry.name) { names.append(name) }
                }
            }
        }
    }

    /// The mark of a file without contents, nil if it has none.
    ///
    /// - Throws: EIO for a mark that this program does not write: what the file holds may be nothing.
    func mark() throws(Errno) -> PlaceholderMark? {
        guard let value = try extended(Placeholder.attribute, limit: PlaceholderMark.limit) else { return nil }
        guard let mark = PlaceholderMark(value) else { throw .ioError }
        return mark
    }

    func setMark(_ mark: PlaceholderMark) throws(Errno) { try setExtended(Placeholder.attribute, mark.bytes) }

    /// What stands in the place of contents, if they are not here: a file of another size was emptied.
    func placeholder() throws(Errno) -> Placeholder? {
        guard let mark = try mark() else { return nil }
        return mark.placeholder(ofSize: try status().attributes.size)
    }
}

extension fuse_attr {
    /// Whether it is a file with contents.
    var isFile: Bool { kind == 0o100_000 }
    var isDirectory: Bool { kind == 0o040_000 }
    /// What kind of item it is (S_IFMT).
    private var kind: UInt32 { mode & 0o170_000 }
    var modified: Int64 { Self.nanoseconds(mtime, mtimensec) }
    var changed: Int64 { Self.nanoseconds(ctime, ctimensec) }

    private static func nanoseconds(_ seconds: UInt64, _ rest: UInt32) -> Int64 {
        Int64(bitPattern: seconds) &* 1_000_000_000 &+ Int64(rest)
    }
}
