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
    /// The names of all entries, ordered by bytes.
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
            // `.` and `..` are the only entries that `EntryName` refuses.
            if let text, let name = EntryName(Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))) {
                names.append(name)
            }
        }
        return names.sorted()
    }
}
