import CLinux
import Glibc
import SystemPackage

/// One entry of a directory.
struct DirectoryEntry: Sendable {
    var name: FilePath.Component
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
    func names() throws(Errno) -> [FilePath.Component] {
        let own = try directory(at: FilePath())
        let duplicate = try SystemCall.value { fcntl(own.descriptor.raw, F_DUPFD_CLOEXEC, 0) }
        guard let stream = fdopendir(duplicate) else {
            let failure = Errno(rawValue: errno)
            _ = close(duplicate)
            throw failure
        }
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                let failure = Errno(rawValue: errno)
                if failure.rawValue != 0 { throw failure }
                break
            }
            guard let name = FilePath.Component(platformString: clinux_entry_name(entry)), name.kind == .regular else {
                continue
            }
            names.append(name)
        }
        return names.sorted { $0.precedes($1) }
    }
}

extension FilePath.Component {
    /// Order by bytes, the same for every locale.
    func precedes(_ other: FilePath.Component) -> Bool {
        withPlatformString { left in other.withPlatformString { strcmp(left, $0) < 0 } }
    }

    /// The bytes of the name.
    var bytes: [UInt8] {
        withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    /// The name with these bytes; nil for what no directory entry can be called.
    init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty, bytes.count <= 255, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else {
            return nil
        }
        let name = (bytes + [0]).withUnsafeBytes {
            $0.withMemoryRebound(to: CChar.self) { buffer in
                buffer.baseAddress.flatMap { FilePath.Component(platformString: $0) }
            }
        }
        guard let name, name.kind == .regular else { return nil }
        self = name
    }
}
