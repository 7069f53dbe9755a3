internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// Whether a file system can hold a folder whose contents may be away.
enum ContentsProbe {
    /// - Throws: What a nameless file with a mark and a hole fails with.
    static func run(in directory: BackingFile) throws(Errno) {
        let path = "/proc/self/fd/\(directory.raw)"
        let file = BackingFile(owning: try checked { open(path, CLINUX_O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600) })
        try file.setExtended(Placeholder.attribute, [0])
        try file.setSize(1 << 20)
        try checked { cfuse_punch(file.raw, 1 << 20) }
    }
}
