import CLinux
import Glibc
import SystemPackage

/// The mounts, read from `/proc/self/mountinfo` (proc_pid_mountinfo(5)), which accesses no mounted file system.
struct MountTable: Equatable {
    struct Mount: Hashable {
        /// Distinguishes two mounts at the same place.
        let id: Int
        let point: FilePath
        /// The file system, as a number that all its mounts share, and the directory of it that is mounted.
        let device: String
        let root: FilePath
        fileprivate(set) var kind: FileSystemKind
        /// The directories on which a stacked file system is based: it responds only if they do.
        var lower: [FilePath] = []
    }

    /// In the order of the table: if two mounts are at one place, the later one hides the earlier.
    private(set) var mounts: [Mount] = []
    /// Those that the watcher must not enter: usually none or very few.
    private var unwatchable: [Mount] = []

    init() {}

    /// Parses a mount table; invalid lines are ignored.
    init(parsing text: [UInt8]) {
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "))
            guard let dash = fields.firstIndex(of: [UInt8(ascii: "-")]), dash >= 6, fields.count > dash + 1,
                let id = Int(String(decoding: fields[0], as: UTF8.self))
            else { continue }
            let type = String(decoding: fields[dash + 1], as: UTF8.self)
            let point = FilePath(bytes: Self.unescaped(fields[4]))
            mounts.append(
                Mount(
                    id: id, point: point, device: String(decoding: fields[2], as: UTF8.self),
                    root: FilePath(bytes: Self.unescaped(fields[3])), kind: Self.kind(ofType: type),
                    lower: Self.lower(ofType: type, at: point, Array(fields[(dash + 2)...]))))
        }
        unwatchable = mounts.filter { $0.kind != .local }
        judgeStacked()
    }

    /// Treats a stacked file system like the worst of those below it.
    private mutating func judgeStacked() {
        guard !unwatchable.isEmpty else { return }
        for index in mounts.indices where mounts[index].kind == .local && !mounts[index].lower.isEmpty {
            guard let kind = mounts[index].lower.map({ kind(at: $0) }).first(where: { $0 != .local }) else { continue }
            mounts[index].kind = kind
            unwatchable.append(mounts[index])
        }
    }

    /// A folder on demand, which `roundel-mount` serves: programs see all changes of it, and it answers as what is behind
    /// it does, which is on the file system that it is mounted on. Only an open file may wait for something else.
    private static let onDemandType = "fuse.roundel"

    /// The directories below a stacked mount of this type, from its place, its source and its options.
    private static func lower(ofType type: String, at point: FilePath, _ fields: [ArraySlice<UInt8>]) -> [FilePath] {
        if type == onDemandType { return [point.removingLastComponent()] }
        guard type == "overlay" || type == "ecryptfs", let source = fields.first else { return [] }
        if type == "ecryptfs" { return [FilePath(bytes: unescaped(source))] }
        let options = fields.dropFirst().joined(separator: [UInt8(ascii: ",")]).split(separator: UInt8(ascii: ","))
        return options.flatMap { option -> [FilePath] in
            let parts = option.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2,
                ["lowerdir", "upperdir", "lowerdir+"].contains(String(decoding: parts[0], as: UTF8.self))
            else { return [] }
            return unescaped(parts[1]).split(separator: UInt8(ascii: ":")).map { FilePath(bytes: Array($0)) }
        }
    }

    /// The kind of file system that a path without symbolic links is on.
    func kind(at path: FilePath) -> FileSystemKind {
        guard unwatchable.contains(where: { path.isAtOrBelow($0.point) }) else { return .local }
        return mount(covering: path)?.kind ?? .local
    }

    func mount(covering path: FilePath) -> Mount? {
        var best: Mount?
        for mount in mounts where path.isAtOrBelow(mount.point) {
            // All of these contain the path, so the longest one is the deepest.
            if mount.point.length >= best?.point.length ?? 0 { best = mount }
        }
        return best
    }

    /// The paths that lead to the item at a path without symbolic links: itself first, then those on other mounts of
    /// its file system, unless another mount hides them.
    func places(of path: FilePath) -> [FilePath] {
        guard let mount = mount(covering: path) else { return [path] }
        var inside = mount.root
        guard inside.isAbsolute, Self.move(path, from: mount.point, to: &inside) else { return [path] }
        var places = [path]
        for other in mounts
        where other.id != mount.id && other.device == mount.device && inside.isAtOrBelow(other.root) {
            var place = other.point
            guard Self.move(inside, from: other.root, to: &place), self.mount(covering: place)?.id == other.id,
                !places.contains(place)
            else { continue }
            places.append(place)
            if places.count == Self.placeLimit { break }
        }
        return places
    }

    /// The maximum number of places for one item: containers can mount a file system many times.
    private static let placeLimit = 64

    /// Appends the part of `path` below `start` to `target`; false if it is not below it.
    private static func move(_ path: FilePath, from start: FilePath, to target: inout FilePath) -> Bool {
        guard path.isAtOrBelow(start) else { return false }
        target.append(path.components.dropFirst(start.components.count))
        return true
    }

    /// Places below `path` where a file system is mounted that the watcher must not enter.
    func unwatchablePoints(below path: FilePath) -> Set<FilePath> {
        guard unwatchable.contains(where: { $0.point.isAtOrBelow(path) }) else { return [] }
        var points: Set<FilePath> = []
        for mount in mounts where mount.point != path && mount.point.isAtOrBelow(path) {
            if mount.kind == .local { points.remove(mount.point) } else { points.insert(mount.point) }
        }
        return points
    }

    /// The mount points at which the two tables differ.
    func changedPoints(since old: MountTable) -> [FilePath] {
        Set(mounts).symmetricDifference(old.mounts).map(\.point)
    }

    private static let networkTypes: Set<String> = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "glusterfs", "gfs2", "gpfs", "lustre", "ncpfs", "nfs",
        "nfs4", "ocfs2", "orangefs", "prl_fs", "pvfs2", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
    ]

    private static func kind(ofType type: String) -> FileSystemKind {
        if networkTypes.contains(type) { return .network }
        if type == onDemandType { return .local }
        // An automount point calls a program and may mount a network file system at the first access.
        if type == "autofs" || type == "fuse" || type == "fuseblk" || type.hasPrefix("fuse.") { return .fuse }
        return .local
    }

    /// Space, tab, newline and backslash are written as a backslash and three octal digits.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) {
                result.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }))
                rest = rest.dropFirst(3)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
