import CLinux
import Glibc
import SystemPackage

/// Opens names without ever entering a file system that may not respond: a single call that never returns would stop
/// the watching of every folder.
///
/// A name is opened in a way that refuses to enter a mount. Only if something is mounted there, the current mount table
/// is read, and a local file system is entered.
final class MountGate {
    /// The mount table to which the watcher has adapted.
    private(set) var table: MountTable
    /// poll(2) reports POLLPRI for it when something was mounted or unmounted.
    var descriptor: Int32 { file.descriptor }
    private let file: MountTableFile
    /// A newer table to which the watcher has not adapted yet.
    private var newer: MountTable?

    /// The purpose of opening something.
    enum Purpose {
        /// A directory, to be listed.
        case list
        /// A directory on the way to something: search permission is enough.
        case pass
        /// Anything, without following it.
        case look

        fileprivate var flags: Int32 {
            switch self {
            case .list: CLINUX_LIST_DIRECTORY
            case .pass: CLINUX_PASS_DIRECTORY
            case .look: CLINUX_STAND_FOR
            }
        }
    }

    init(path: String) {
        file = MountTableFile(path: path)
        table = file.read()
    }

    /// Whether there is a change of mounts to which the watcher has not adapted yet.
    var hasNewer: Bool { newer != nil }

    /// Reads the table again; from now on the watcher counts as adapted to it.
    func renew() {
        newer = nil
        table = file.read()
    }

    /// Opens a name in a directory that the watcher may enter.
    ///
    /// - Parameter path: The path of the name, without symbolic links.
    /// - Throws: `improperLink` if a file system is mounted there that must not be entered.
    func open(
        _ component: FilePath.Component, in directory: Int32, for purpose: Purpose, at path: FilePath
    ) throws(Errno) -> Int32 {
        let result = component.withPlatformString { name in
            Result { () throws(Errno) in
                do throws(Errno) {
                    return try openBelow(name, in: directory, for: purpose)
                } catch .improperLink {
                    return try enter(name, in: directory, for: purpose, at: path)
                }
            }
        }
        return try result.get()
    }

    /// Opens a name in a directory if nothing is mounted there.
    ///
    /// - Throws: `improperLink` if something is mounted there; see ``enter(_:in:for:at:)``.
    func openBelow(
        _ name: UnsafePointer<CChar>, in directory: Int32, for purpose: Purpose
    ) throws(Errno) -> Int32 {
        let descriptor = clinux_open_same_mount(directory, name, purpose.flags)
        if descriptor < 0 { throw Errno(rawValue: errno) }
        return descriptor
    }

    /// Opens a name at which something is mounted, if that is a local file system.
    ///
    /// - Throws: `improperLink` if it is not local.
    func enter(
        _ name: UnsafePointer<CChar>, in directory: Int32, for purpose: Purpose, at path: FilePath
    ) throws(Errno) -> Int32 {
        if file.hasChanged { newer = file.read() }
        guard (newer ?? table).kind(at: path) == .local else { throw .improperLink }
        let descriptor = clinux_open_at(directory, name, purpose.flags)
        if descriptor < 0 { throw Errno(rawValue: errno) }
        return descriptor
    }

    /// The error of the system for a name in a directory; nil if it exists, even as a mount point.
    func lookup(_ name: UnsafePointer<CChar>, in directory: Int32) -> Errno? {
        let descriptor = clinux_open_same_mount(directory, name, CLINUX_STAND_FOR)
        if descriptor >= 0 {
            close(descriptor)
            return nil
        }
        return errno == EXDEV ? nil : Errno(rawValue: errno)
    }
}

/// The open mount table.
private final class MountTableFile {
    let descriptor: Int32

    init(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether something was mounted or unmounted since the last call.
    var hasChanged: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
        return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLPRI) != 0
    }

    func read() -> MountTable {
        guard descriptor >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return MountTable() }
        var text: [UInt8] = []
        let chunk = 16384
        var count = 0
        repeat {
            let part = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, initialized in
                count = max(0, Glibc.read(descriptor, buffer.baseAddress, chunk))
                initialized = count
            }
            text += part
        } while count > 0
        return MountTable(parsing: text)
    }
}
