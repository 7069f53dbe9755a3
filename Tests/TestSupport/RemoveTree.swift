import CLinux
import Glibc
public import SystemPackage

/// Removes whatever is at a path, however deep it is.
public func removeTree(_ path: FilePath) {
    path.withPlatformString { removeTree($0, at: AT_FDCWD) }
}

/// Deep trees are flattened while they are emptied: what is in a child directory is moved up before the child goes, so
/// that no path gets long and few descriptors are open.
private func removeTree(_ name: UnsafePointer<CChar>, at parent: Int32) {
    if unlinkat(parent, name, 0) == 0 { return }
    let top = clinux_open_directory(parent, name)
    guard top >= 0 else { return }
    var serial = 0
    while true {
        let found = entries(of: top)
        if found.isEmpty { break }
        let before = serial
        for (child, isDirectory) in found {
            child.withUnsafeBufferPointer { name in
                if let name = name.baseAddress { flatten(name, isDirectory, top, &serial) }
            }
        }
        if serial == before, entries(of: top).count == found.count { break }
    }
    close(top)
    unlinkat(parent, name, AT_REMOVEDIR)
}

private func flatten(_ child: UnsafePointer<CChar>, _ isDirectory: Bool, _ top: Int32, _ serial: inout Int) {
    guard isDirectory else {
        unlinkat(top, child, 0)
        return
    }
    let directory = clinux_open_directory(top, child)
    guard directory >= 0 else { return }
    defer { close(directory) }
    for (inner, isInnerDirectory) in entries(of: directory) {
        serial += 1
        if isInnerDirectory {
            renameat(directory, inner, top, "moved-\(serial)-\(getpid())")
        } else {
            unlinkat(directory, inner, 0)
        }
    }
    unlinkat(top, child, AT_REMOVEDIR)
}

/// What is in the directory that `descriptor` is open on, as terminated names; empty if it cannot be listed.
public func entries(of descriptor: Int32) -> [(name: [CChar], isDirectory: Bool)] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else { return [] }
    defer { closedir(stream) }
    var found: [([CChar], Bool)] = []
    while let entry = readdir(stream) {
        guard let start = clinux_entry_name(entry) else { continue }
        let name = Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
        if name == [0x2e, 0] || name == [0x2e, 0x2e, 0] { continue }
        found.append((name, Int32(entry.pointee.d_type) == DT_DIR))
    }
    return found
}
