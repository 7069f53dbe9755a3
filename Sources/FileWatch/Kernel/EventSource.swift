package import SystemPackage

/// The source of change events: inotify here, libinotifytools for comparison in the tests.
///
/// Events are read in the layout of `struct inotify_event`.
package protocol EventSource {
    /// Becomes readable when events wait.
    var descriptor: Int32 { get }
    /// Watches the directory that `directory` refers to, or changes the mask of its watch.
    mutating func watch(directory: Int32, mask: UInt32) throws(Errno) -> Int32
    /// Ends a watch; one that has already ended by itself is ignored.
    mutating func unwatch(_ watch: Int32)
    /// Fills the buffer with whole events; 0 if there are none.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
}
