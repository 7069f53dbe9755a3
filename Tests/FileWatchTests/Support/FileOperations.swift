import CLinux
import Glibc
import SystemPackage

/// File operations as plain system calls; each says whether it succeeded.
enum Disk {
    @discardableResult
    static func makeDirectory(_ path: FilePath) -> Bool {
        path.withPlatformString { mkdir($0, 0o755) == 0 }
    }

    @discardableResult
    static func makeDirectories(_ path: FilePath) -> Bool {
        if makeDirectory(path) || errno == EEXIST { return true }
        return makeDirectories(path.removingLastComponent()) && makeDirectory(path)
    }

    @discardableResult
    static func write(_ path: FilePath, _ text: String = "x") -> Bool {
        let descriptor = path.withPlatformString {
            open($0, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o644)
        }
        guard descriptor >= 0 else { return false }
        let isWritten = Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count
        close(descriptor)
        waitUntilClosed(path)
        return isWritten
    }

    /// Makes an empty file in a directory that is open.
    static func make(_ name: String, in directory: Int32) {
        close(openat(directory, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
        waitUntilClosed(openat(directory, name, waiting))
    }

    /// Waits until no process has the file open for writing.
    ///
    /// A program that another test starts holds a copy of every descriptor until it has executed, and the kernel tells
    /// that a file was closed when the last copy is. The kernel refuses a lease for reading until then.
    private static func waitUntilClosed(_ path: FilePath) {
        waitUntilClosed(path.withPlatformString { open($0, waiting) })
    }

    private static let waiting = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

    /// - Parameter descriptor: The file, opened for this alone; negative if it could not be opened.
    private static func waitUntilClosed(_ descriptor: Int32) {
        let setLease: Int32 = 1024
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        while fcntl(descriptor, setLease, Int32(F_RDLCK)) < 0 {
            // A file system that gives no leases says so with another error.
            guard errno == EAGAIN else { return }
            sched_yield()
        }
        _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
    }

    @discardableResult
    static func rename(_ from: FilePath, to target: FilePath) -> Bool {
        from.withPlatformString { from in target.withPlatformString { Glibc.rename(from, $0) == 0 } }
    }

    @discardableResult
    static func exchange(_ left: FilePath, _ right: FilePath) -> Bool {
        left.withPlatformString { left in
            right.withPlatformString { clinux_renameat2(AT_FDCWD, left, AT_FDCWD, $0, 2) == 0 }
        }
    }

    @discardableResult
    static func remove(_ path: FilePath) -> Bool {
        path.withPlatformString { unlink($0) == 0 || rmdir($0) == 0 }
    }

    @discardableResult
    static func link(_ target: FilePath, at path: FilePath) -> Bool {
        target.withPlatformString { target in path.withPlatformString { symlink(target, $0) == 0 } }
    }

    @discardableResult
    static func changeMode(_ path: FilePath, _ mode: UInt32) -> Bool {
        path.withPlatformString { chmod($0, mode) == 0 }
    }
}
