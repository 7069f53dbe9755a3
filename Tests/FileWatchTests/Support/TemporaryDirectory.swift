import CLinux
import Glibc
import SystemPackage

/// A directory of a test's own, removed with everything in it at the end.
final class TemporaryDirectory {
    let path: FilePath

    init() throws {
        var template = Array("/tmp/roundel-watch-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        path = FilePath(platformString: template)
    }

    deinit {
        removeTree(path)
    }

    /// A path below the directory.
    func callAsFunction(_ relative: String) -> FilePath {
        FilePath(path.string + "/" + relative)
    }
}

/// Removes whatever is at a path, however deep it is.
func removeTree(_ path: FilePath) {
    path.withPlatformString { name in
        if unlink(name) == 0 { return }
        let directory = clinux_open_directory(AT_FDCWD, name)
        if directory >= 0 { emptyDirectory(directory) }
        rmdir(name)
    }
}

/// Deep trees are flattened while they are emptied: a child directory is moved up before it is entered.
private func emptyDirectory(_ top: Int32) {
    defer { close(top) }
    var serial = 0
    var isChanged = true
    while isChanged {
        isChanged = false
        for (name, isDirectory) in entries(of: top) {
            isChanged = true
            guard isDirectory else {
                name.withPlatformString { _ = unlinkat(top, $0, 0) }
                continue
            }
            let child = name.withPlatformString { clinux_open_directory(top, $0) }
            for (inner, isInnerDirectory) in entries(of: child) {
                serial += 1
                inner.withPlatformString { inner in
                    if isInnerDirectory {
                        _ = renameat(child, inner, top, "moved-\(serial)-\(getpid())")
                    } else {
                        _ = unlinkat(child, inner, 0)
                    }
                }
            }
            close(child)
            name.withPlatformString { _ = unlinkat(top, $0, AT_REMOVEDIR) }
        }
    }
}

/// What is in the directory that `descriptor` is open on; empty if it cannot be listed.
func entries(of descriptor: Int32) -> [(name: FilePath.Component, isDirectory: Bool)] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else { return [] }
    defer { closedir(stream) }
    var found: [(FilePath.Component, Bool)] = []
    while let entry = readdir(stream) {
        guard let name = FilePath(platformString: clinux_entry_name(entry)).lastComponent, name.kind == .regular
        else { continue }
        found.append((name, Int32(entry.pointee.d_type) == DT_DIR))
    }
    return found
}
