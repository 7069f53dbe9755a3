import CLinux
import Glibc
import SystemPackage

/// Resolves the ancestors of a path, one component after the other, without following the last one.
struct PathResolver {
    /// The same number as in the kernel (path_resolution(7)).
    static let linkLimit = 40
    /// How many directories may be opened again for `..`: links full of them must not keep the watcher's thread busy.
    private static let reopenLimit = 20_000

    let mounts: MountTable
    /// Prevents entering file systems that may not respond; if nil, the thread waits for them, which only a helper's
    /// may do.
    let gate: MountGate?

    enum Outcome {
        case resolved(PathResolution)
        /// The rest of the path is on a file system that may never respond.
        case unwatchable(PathResolution)
    }

    /// The state of one resolution.
    private struct Walk {
        var directory: Int32
        var reached: FilePath = "/"
        var rest: [FilePath.Component]
        var aliases: [PathAlias] = []
        var openLinks: [(link: FilePath, rest: Int)] = []
        var linksFollowed = 0
        /// How many directories were opened again for `..`.
        var reopened = 0
    }

    func resolve(_ requested: FilePath) -> Outcome {
        var walk = Walk(directory: Glibc.open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), rest: [])
        defer { if walk.directory >= 0 { close(walk.directory) } }
        walk.rest = requested.names.reversed()
        if walk.rest.isEmpty { return .resolved(result(requested, walk, .fileSystemRoot)) }
        while let component = walk.rest.popLast() {
            noteResolvedLinks(&walk)
            if let outcome = step(&walk, component, requested) { return outcome }
        }
        // Only links or `..` led here, so this is a directory.
        let kind: RootKind = walk.reached.length <= 1 ? .fileSystemRoot : .directory
        return .resolved(result(requested, walk, kind))
    }

    /// Advances by one component; a result ends the walk.
    private func step(_ walk: inout Walk, _ component: FilePath.Component, _ requested: FilePath) -> Outcome? {
        if component.kind == .currentDirectory { return nil }
        if component.kind == .parentDirectory {
            walk.reached.removeLastComponent()
            walk.reopened += walk.reached.names.count
            guard walk.reopened <= Self.reopenLimit else {
                return .resolved(result(requested, walk, .inaccessible(.tooManySymbolicLinkLevels)))
            }
            return reopen(&walk) ? nil : .resolved(result(requested, walk, .missing))
        }
        let next = walk.reached.appending(component)
        let isLast = walk.rest.isEmpty
        let kind = mounts.kind(at: next)
        if kind != .local, gate != nil { return unwatchable(&walk, next, requested) }
        let opened: Int32
        do throws(Errno) { opened = try open(component, in: walk.directory, at: next) } catch {
            if error == .improperLink, gate != nil { return unwatchable(&walk, next, requested) }
            walk.reached = next
            return .resolved(result(requested, walk, Self.kind(of: error)))
        }
        var status = stat()
        let mode = fstat(opened, &status) == 0 ? status.st_mode & S_IFMT : 0
        if mode == S_IFLNK, !isLast {
            defer { close(opened) }
            return follow(opened, &walk, next, requested)
        }
        close(walk.directory)
        walk.directory = opened
        walk.reached = next
        if isLast { return .resolved(result(requested, walk, Self.kind(ofMode: mode))) }
        return mode == S_IFDIR ? nil : .resolved(result(requested, walk, .missing))
    }

    private func unwatchable(_ walk: inout Walk, _ path: FilePath, _ requested: FilePath) -> Outcome {
        walk.reached = path
        return .unwatchable(result(requested, walk, .notAnswering))
    }

    private func open(_ component: FilePath.Component, in directory: Int32, at path: FilePath) throws(Errno) -> Int32 {
        if let gate { return try gate.open(component, in: directory, for: .look, at: path) }
        let descriptor = component.withPlatformString { clinux_open_path(directory, $0) }
        if descriptor < 0 { throw Errno(rawValue: errno) }
        return descriptor
    }

    private func follow(_ link: Int32, _ walk: inout Walk, _ path: FilePath, _ requested: FilePath) -> Outcome? {
        walk.linksFollowed += 1
        guard walk.linksFollowed <= Self.linkLimit, let target = Self.target(of: link) else {
            walk.reached = path
            let errno: Errno = walk.linksFollowed > Self.linkLimit ? .tooManySymbolicLinkLevels : .ioError
            return .resolved(result(requested, walk, .inaccessible(errno)))
        }
        walk.openLinks.append((path, walk.rest.count))
        walk.rest += target.names.reversed()
        if target.isAbsolute {
            walk.reached = "/"
            _ = reopen(&walk)
        }
        return nil
    }

    /// Records the targets of links that have been resolved completely.
    private func noteResolvedLinks(_ walk: inout Walk) {
        // The current component was already removed from the rest.
        while let last = walk.openLinks.last, walk.rest.count + 1 <= last.rest {
            walk.aliases.append(PathAlias(link: last.link, target: walk.reached))
            walk.openLinks.removeLast()
        }
    }

    /// Opens the directory that the walk has reached; its path is resolved, so it contains no links.
    private func reopen(_ walk: inout Walk) -> Bool {
        var directory = Glibc.open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        var path: FilePath = "/"
        for component in walk.reached.names {
            path.append(component)
            let next = try? open(component, in: directory, at: path)
            close(directory)
            directory = next ?? -1
            if next == nil { break }
        }
        close(walk.directory)
        walk.directory = directory
        return directory >= 0
    }

    private func result(_ requested: FilePath, _ walk: Walk, _ kind: RootKind) -> PathResolution {
        let resolved = walk.rest.isEmpty ? walk.reached : walk.reached.appending(names: walk.rest.reversed())
        return PathResolution(
            requested: requested, resolved: resolved, aliases: walk.aliases,
            kind: walk.rest.isEmpty ? kind : unless(kind),
            fileSystem: mounts.kind(at: resolved))
    }

    /// An item below something that is not a directory is missing.
    private func unless(_ kind: RootKind) -> RootKind {
        kind == .file || kind == .symbolicLink || kind == .directory ? .missing : kind
    }

    private static func target(of link: Int32) -> FilePath? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            let length = clinux_link_target(link, buffer.baseAddress, buffer.count)
            count = length > 0 && length < buffer.count ? length : 0
        }
        return bytes.isEmpty ? nil : FilePath(bytes: bytes)
    }

    static func kind(ofMode mode: UInt32) -> RootKind {
        switch mode {
        case S_IFDIR: .directory
        case S_IFLNK: .symbolicLink
        default: .file
        }
    }

    private static func kind(of error: Errno) -> RootKind {
        error == .noSuchFileOrDirectory || error == .notDirectory ? .missing : .inaccessible(error)
    }
}
