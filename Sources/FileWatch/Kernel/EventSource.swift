package import SystemPackage

/// Where change events come from: inotify here, libinotifytools in the tests' oracle.
///
/// Events are read in the layout of `struct inotify_event`.
package protocol EventSource {
    /// Becomes readable when events wait.
    var descriptor: Int32 { get }
    /// Watches the directory that `directory` is open on, or changes the mask of its watch.
    mutating func watch(directory: Int32, mask: UInt32) throws(Errno) -> Int32
    /// Ends a watch; one that has ended by itself is passed over.
    mutating func unwatch(_ watch: Int32)
    /// Fills the buffer with whole events; 0 if none waits.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
}
