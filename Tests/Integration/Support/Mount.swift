import Glibc
import TestSupport

/// A small file system of a test's own.
final class Mount {
    let path: String

    /// Mounts need privileges that tests do not have everywhere.
    static let isPossible: Bool = {
        guard geteuid() == 0, let mount = try? Mount(size: "1m") else { return false }
        withExtendedLifetime(mount) {}
        return true
    }()

    init(size: String) throws {
        var template = Array("/tmp/roundel-mount.XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Failure("mkdtemp") }
        self.path = String(cString: path)
        guard mount("tmpfs", self.path, "tmpfs", 0, "size=\(size),mode=755") == 0 else {
            rmdir(self.path)
            throw Failure("mount: \(errno)")
        }
    }

    func remount(_ options: String) throws {
        var flags = UInt(MS_REMOUNT)
        if options == "ro" { flags |= UInt(MS_RDONLY) }
        let data = options.hasPrefix("size") ? options : ""
        guard mount("tmpfs", path, "tmpfs", flags, data) == 0 else { throw Failure("remount: \(errno)") }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }
}

/// A file system that is shown at a second place, from which it can go and to which it comes back unchanged.
final class BindMount {
    private let source: String
    private let path: String

    init(of source: String, at path: String) throws {
        (self.source, self.path) = (source, path)
        try mount()
    }

    func mount() throws {
        guard Glibc.mount(source, path, nil, UInt(MS_BIND), nil) == 0 else { throw Failure("mount: \(errno)") }
    }

    /// As a person unmounts: false while somebody uses the file system.
    func unmount() -> Bool { umount2(path, 0) == 0 }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
