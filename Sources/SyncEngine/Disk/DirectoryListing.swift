import CLinux
import Glibc
import SyncCore
import SystemPackage

/// One entry of a directory.
struct DirectoryEntry: Sendable {
    var name: EntryName
    var status: FileStatus
}

extension DirectoryHandle {
    /// Every entry, ordered by the bytes of its name. An error on the way is thrown: part of a listing is never
    /// returned as the whole of it.
    func entries() throws(Errno) -> [DirectoryEntry] {
        var entries: [DirectoryEntry] = []
        for name in try names() {
            do {
                entries.append(DirectoryEntry(name: name, status: try status(of: name)))
            } catch Errno.noSuchFileOrDirectory {
                // It went away after the directory was read, which is as good as before.
                continue
            } catch {
                throw error
            }
        }
        return entries
    }

    /// The name of every entry, ordered by bytes.
    func names() throws(Errno) -> [EntryName] {
        let own = try directory(at: .root)
        let duplicate = try SystemCall.value { fcntl(own.descriptor.raw, F_DUPFD_CLOEXEC, 0) }
        guard let stream = fdopendir(duplicate) else {
            let failure = Errno(rawValue: errno)
            _ = close(duplicate)
            throw failure
        }
        defer { closedir(stream) }
        var names: [EntryName] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                let failure = Errno(rawValue: errno)
                if failure.rawValue != 0 { throw failure }
                break
            }
            let text = clinux_entry_name(entry)
            // `.` and `..` are the only entries that are no names.
            if let text, let name = EntryName(Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))) {
                names.append(name)
            }
        }
        return names.sorted()
    }
}
