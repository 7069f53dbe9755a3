import Glibc
import SystemPackage
import TestSupport

/// What the kernel tells watchers of one directory, from now on.
final class DirectoryEvents {
    private let descriptor: CInt

    init(of directory: FilePath) throws {
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        let mask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
        guard inotify_add_watch(descriptor, directory.string, mask) >= 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// The names that a program knows which knew `names` and was told of everything since, one event after the other.
    func replayed(over names: Set<String>) -> Set<String> {
        var known = names
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return known }
            buffer.withUnsafeBytes { bytes in
                var position = 0
                while position < count {
                    let mask = bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
                    let length = Int(bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
                    let name = bytes[(position + 16)..<(position + 16 + length)].prefix { $0 != 0 }
                    let text = String(decoding: name, as: UTF8.self)
                    if mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { known.insert(text) } else { known.remove(text) }
                    position += 16 + length
                }
            }
        }
    }
}
