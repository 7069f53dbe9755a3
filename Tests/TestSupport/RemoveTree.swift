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
    var moved = 0
    while true {
        var progress = 0
        for (child, isDirectory) in entries(of: top) {
            child.withUnsafeBufferPointer { name in
                if let name = name.baseAddress { progress += flatten(name, isDirectory, top, &moved) }
            }
        }
        // What cannot be removed, a mounted file system say, stays.
        if progress == 0 { break }
    }
    close(top)
    unlinkat(parent, name, AT_REMOVEDIR)
}

/// - Returns: How many entries are gone from where they were.
private func flatten(
    _ child: UnsafePointer<CChar>, _ isDirectory: Bool, _ top: Int32, _ moved: inout Int
) -> Int {
    guard isDirectory else { return unlinkat(top, child, 0) == 0 ? 1 : 0 }
    let directory = clinux_open_directory(top, child)
    guard directory >= 0 else { return 0 }
    defer { close(directory) }
    var progress = 0
    for (inner, isInnerDirectory) in entries(of: directory) {
        moved += 1
        let result =
            isInnerDirectory
            ? renameat(directory, inner, top, "moved-\(moved)-\(getpid())") : unlinkat(directory, inner, 0)
        if result == 0 { progress += 1 }
    }
    return progress + (unlinkat(top, child, AT_REMOVEDIR) == 0 ? 1 : 0)
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
