import CInotifyTools
import CLinux
import FileWatch
import Glibc
package import SystemPackage

/// libinotifytools as a source of events, to be compared with. Its state is global to the process, so there is one.
package struct InotifyToolsSource: EventSource {
    package let descriptor: Int32

    package init?() {
        guard inotifytools_initialize() != 0, let found = Self.instance() else { return nil }
        descriptor = found
    }

    package mutating func watch(directory: Int32, mask: UInt32) throws(Errno) -> Int32 {
        guard let path = Self.path(of: directory) else { throw .badFileDescriptor }
        guard inotifytools_watch_file(path, Int32(bitPattern: mask)) != 0 else {
            throw Errno(rawValue: inotifytools_error())
        }
        return inotifytools_wd_from_filename(path + "/")
    }

    package mutating func unwatch(_ watch: Int32) {
        inotifytools_remove_watch_by_wd(watch)
    }

    /// Events that the library has read ahead are not seen by this; ``next(into:)`` gives them.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, 0) > 0 ? next(into: buffer) : 0
    }

    /// Waits for the next event. One at a time: asked for more, the library spins until its time-out.
    package mutating func next(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let event = inotifytools_next_events(0, 1) else { return 0 }
        let size = MemoryLayout<inotify_event>.size + Int(event.pointee.len)
        buffer.copyMemory(from: UnsafeRawBufferPointer(start: event, count: size))
        return size
    }

    /// The library does not tell its descriptor, but there is only one of this kind.
    private static func instance() -> Int32? {
        (0..<64).first { link(at: "/proc/self/fd/\($0)") == "anon_inode:inotify" }
    }

    private static func path(of descriptor: Int32) -> String? {
        link(at: "/proc/self/fd/\(descriptor)")
    }

    private static func link(at path: String) -> String? {
        var target = [CChar](repeating: 0, count: 4096)
        let count = target.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { readlink(path, $0, buffer.count) } ?? -1
        }
        return count > 0 ? String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
