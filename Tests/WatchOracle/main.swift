import CLinux
import FileWatch
import Glibc

// Prints what libinotifytools reports below a directory whose subdirectories exist throughout: READY when every watch is
// in place, then the path of each event relative to the directory, until its standard input ends.

/// Watches a directory, then lists it, then does the same below it.
func watchTree(_ path: String, _ source: inout InotifyToolsSource, _ paths: inout [Int32: String], _ top: String) {
    let directory = clinux_open_directory(AT_FDCWD, top + path)
    guard directory >= 0 else { return }
    let mask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_ONLYDIR)
    guard let watch = try? source.watch(directory: directory, mask: mask), let stream = fdopendir(directory) else {
        close(directory)
        return
    }
    paths[watch] = path
    var children: [String] = []
    while let entry = readdir(stream) {
        let name = String(cString: clinux_entry_name(entry))
        if Int32(entry.pointee.d_type) == DT_DIR, name != ".", name != ".." { children.append(name) }
    }
    closedir(stream)
    for child in children { watchTree(path + "/" + child, &source, &paths, top) }
}

func say(_ line: String) {
    let text = line + "\n"
    _ = text.utf8CString.withUnsafeBytes { write(1, $0.baseAddress, $0.count - 1) }
}

/// The path of the event in a buffer, relative to the directory.
func path(in buffer: UnsafeMutableRawBufferPointer, _ count: Int, _ paths: [Int32: String]) -> String? {
    guard count > 16, let directory = paths[buffer.load(as: Int32.self)] else { return nil }
    let name = buffer[16..<count].prefix { $0 != 0 }
    return String((directory + "/" + String(decoding: name, as: UTF8.self)).dropFirst())
}

guard CommandLine.arguments.count == 2, var source = InotifyToolsSource() else { exit(1) }
let top = CommandLine.arguments[1]
let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 8)
var paths: [Int32: String] = [:]
watchTree("", &source, &paths, top)
say("READY")
var isOpen = true
while isOpen {
    var descriptors = [
        pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
    ]
    poll(&descriptors, 2, -1)
    isOpen = descriptors[1].revents == 0
    while let path = path(in: buffer, source.read(into: buffer), paths) { say(path) }
}
// An event of its own comes after all others, those that the library has read ahead included.
let mark = "end-of-the-oracle"
mkdir(top + "/" + mark, 0o700)
while let path = path(in: buffer, source.next(into: buffer), paths), path != mark { say(path) }
