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
        defer { close(descriptor) }
        return Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count
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
