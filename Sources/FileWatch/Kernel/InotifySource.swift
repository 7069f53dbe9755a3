import CLinux
import Glibc
import SystemPackage

/// inotify(7) itself.
final class InotifySource: EventSource {
    let descriptor: Int32

    init() throws(FileWatchError) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if descriptor < 0 { throw .cannotStart(what: "inotify instance", Errno(rawValue: errno)) }
    }

    deinit {
        close(descriptor)
    }

    func watch(directory: Int32, mask: UInt32) throws(Errno) -> Int32 {
        let watch = clinux_inotify_add(descriptor, directory, mask)
        if watch < 0 { throw Errno(rawValue: errno) }
        return watch
    }

    func unwatch(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
}
