internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// How an item is reached behind the mounted folder. A symbolic link is never followed.
enum BackingPlace {
    /// By its name in a directory.
    case entry(BackingFile, NodeName)
    /// By a descriptor that stands for it (O_PATH): the folder itself, and what has no name.
    case itself(BackingFile)

    /// The status of the item.
    func status() throws(Errno) -> cfuse_item {
        switch self {
        case .itself(let file): return try file.status()
        case .entry(let directory, let name):
            var item = cfuse_item()
            try checked { name.withPointer { cfuse_look(directory.raw, $0, &item) } }
            return item
        }
    }

    /// Opens the item.
    func open(_ flags: Int32) throws(Errno) -> BackingFile {
        switch self {
        case .itself(let file):
            let path = "/proc/self/fd/\(file.raw)"
            return BackingFile(owning: try checked { Glibc.open(path, flags | O_CLOEXEC) })
        case .entry(let directory, let name):
            return BackingFile(
                owning: try checked { name.withPointer { openat(directory.raw, $0, flags | O_CLOEXEC | O_NOFOLLOW) } })
        }
    }

    /// A descriptor that stands for the item, whatever it is called later.
    func pin() throws(Errno) -> BackingFile {
        switch self {
        case .itself(let file): file
        case .entry: try open(CLINUX_O_PATH)
        }
    }

    /// Runs `body` with a path to the item for calls that know no descriptors. What such a call does with a symbolic
    /// link at the end must be left undone by its flags if the first value is true; otherwise it has to follow it.
    func withPath<Result>(_ body: (_ isEntry: Bool, UnsafePointer<CChar>) -> Result) -> Result {
        var path: [UInt8]
        let isEntry: Bool
        switch self {
        case .itself(let file):
            path = Array("/proc/self/fd/\(file.raw)".utf8) + [0]
            isEntry = false
        case .entry(let directory, let name):
            path = Array("/proc/self/fd/\(directory.raw)/".utf8) + name.terminated
            isEntry = true
        }
        return path.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                preconditionFailure("a path without bytes")
            }
            return body(isEntry, base)
        }
    }

    /// Sets the permissions, of what is no symbolic link.
    func setMode(_ mode: UInt32) throws(Errno) {
        let item = try pin()
        try checked { chmod("/proc/self/fd/\(item.raw)", mode & 0o7777) }
    }
}
