import Glibc
import SyncCore
import SystemPackage

/// A staged file for a large transfer. It grows as bytes arrive, and outlives the program together with its notes.
struct PartialFile {
    let file: Descriptor
    let name: EntryName
    let directory: DirectoryHandle

    /// A new file under an unused name.
    init(in directory: DirectoryHandle) throws(Errno) {
        name = RandomName.component(prefix: "partial-")
        file = try directory.open(name, O_RDWR | O_CREAT | O_EXCL, permissions: 0o600)
        self.directory = directory
    }

    /// The file of this name, truncated to this many bytes; nil if there is none of at least that length.
    init?(_ name: EntryName, _ bytes: Int64, in directory: DirectoryHandle) {
        guard let file = try? directory.open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK), let status = try? file.status(),
            status.kind == .file, status.owner == geteuid(), status.size >= UInt64(bytes),
            (try? file.setSize(bytes)) != nil
        else { return nil }
        (self.file, self.name, self.directory) = (file, name, directory)
    }

    /// A hasher that was given the first bytes; nil if they do not have this hash or cannot be read.
    ///
    /// - Parameter progress: Called with each part and the number of bytes read; an error ends the reading.
    func hasher(
        of bytes: Int64, _ hash: ContentHash, progress: (UnsafeRawBufferPointer, Int64) throws(EffectFailure) -> Void
    ) throws(EffectFailure) -> ContentHasher? {
        guard var hasher = ContentHasher() else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4_096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while offset < bytes {
            let length = Int(min(Int64(buffer.count), bytes - offset))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
            guard let count = try? file.read(into: part, at: UInt64(offset)), count > 0 else { return nil }
            let read = UnsafeRawBufferPointer(rebasing: part[..<count])
            hasher.update(read)
            offset += Int64(count)
            try progress(read, offset)
        }
        guard hasher.current() == hash else { return nil }
        return hasher
    }

    /// Truncates the file to this many bytes, and continues writing after them.
    func cut(to bytes: Int64) throws(Errno) {
        try file.setSize(bytes)
        try SystemCall.value { lseek(file.raw, off_t(bytes), SEEK_SET) }
    }

    func remove() { try? directory.removeFile(name) }
}
