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

func drain(_ source: inout InotifyToolsSource, _ paths: [Int32: String]) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 8)
    defer { buffer.deallocate() }
    while true {
        let count = source.read(into: buffer)
        if count == 0 { return }
        let name = buffer[16..<count].prefix { $0 != 0 }
        guard let directory = paths[buffer.load(as: Int32.self)], !name.isEmpty else { continue }
        say((directory + "/" + String(decoding: name, as: UTF8.self)).dropFirst().description)
    }
}

guard CommandLine.arguments.count == 2, var source = InotifyToolsSource() else { exit(1) }
var paths: [Int32: String] = [:]
watchTree("", &source, &paths, CommandLine.arguments[1])
say("READY")
var isOpen = true
while isOpen {
    var descriptors = [
        pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
    ]
    poll(&descriptors, 2, -1)
    isOpen = descriptors[1].revents == 0
    drain(&source, paths)
}
