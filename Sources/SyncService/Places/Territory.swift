internal import CLinux
internal import Glibc
internal import SyncEngine
internal import SystemPackage

/// The real location of a directory, including what is mounted in it. It does not depend on the symbolic links and bind
/// mounts in the path used.
struct Territory: Sendable {
    /// A directory of a file system, independent of where that is mounted.
    private struct Spot: Sendable {
        var device: String
        var path: FilePath

        func overlaps(_ other: Spot) -> Bool {
            device == other.device && (path.starts(with: other.path) || other.path.starts(with: path))
        }
    }

    private let path: FilePath
    private let spots: [Spot]
    private let directory: (device: UInt, inode: UInt)?

    /// The location of a path, of which the end may not exist. Reads the file system, which may not respond.
    init(_ path: FilePath, _ mounts: [MountedPlaces.Mount]) {
        let real = Self.resolved(path) ?? path
        self.path = real
        var status = stat()
        let isThere = real.withPlatformString { lstat($0, &status) } == 0
        directory = isThere ? (UInt(status.st_dev), UInt(status.st_ino)) : nil
        var spots: [Spot] = []
        // If two mounts have the same mount point, the later one hides the earlier.
        let holder = mounts.filter { real.starts(with: $0.point) }.enumerated().max { left, right in
            (left.element.point.components.count, left.offset) < (right.element.point.components.count, right.offset)
        }
        if let holder = holder?.element {
            let rest = real.components.dropFirst(holder.point.components.count)
            spots.append(Spot(device: holder.device, path: rest.reduce(holder.root) { $0.appending($1) }))
        }
        for mount in mounts where mount.point != real && mount.point.starts(with: real) {
            spots.append(Spot(device: mount.device, path: mount.root))
        }
        self.spots = spots
    }

    /// Whether one of the two equals or contains the other, or both share some contents.
    func overlaps(_ other: Territory) -> Bool {
        if path.starts(with: other.path) || other.path.starts(with: path) || isSameDirectory(as: other) { return true }
        return spots.contains { spot in other.spots.contains { $0.overlaps(spot) } }
    }

    /// Whether both are the same directory.
    func isSameDirectory(as other: Territory) -> Bool {
        guard let directory, let found = other.directory else { return path == other.path }
        return directory == found
    }

    /// The path without symbolic links, as far as it exists; nil if nothing of it can be examined.
    private static func resolved(_ path: FilePath) -> FilePath? {
        guard let real = path.withPlatformString({ realpath($0, nil) }) else {
            guard errno == ENOENT, let name = path.lastComponent else { return nil }
            return resolved(path.removingLastComponent())?.appending(name)
        }
        defer { free(real) }
        return FilePath(platformString: real)
    }
}
