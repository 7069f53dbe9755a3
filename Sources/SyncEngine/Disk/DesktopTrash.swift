import CLinux
import Glibc
import SystemPackage

/// The desktop's trash, as the freedesktop.org trash specification 1.0 lays it out: the home trash for folders on
/// its file system, else one in the top directory of the folder's own.
struct DesktopTrash: Sendable {
    private let files: DirectoryHandle
    private let info: DirectoryHandle
    /// The folder's root as the trash's texts state it: absolute in the home trash, else relative to the top
    /// directory.
    private let rootPath: FilePath

    /// The trash for the folder at the absolute path `root`.
    ///
    /// - Parameter dataHome: `$XDG_DATA_HOME`.
    init(for root: DirectoryHandle, at path: FilePath, dataHome: FilePath) throws(Errno) {
        if let home = try? DirectoryHandle.creating(absolute: dataHome.appending("Trash")),
            try home.sharesFileSystem(with: root)
        {
            try self.init(home, rootPath: path)
        } else {
            let top = try Self.topDirectory(of: path)
            let relative = FilePath(root: nil, path.components.dropFirst(top.components.count))
            try self.init(Self.trash(in: DirectoryHandle(absolute: top)), rootPath: relative)
        }
    }

    private init(_ trash: DirectoryHandle, rootPath: FilePath) throws(Errno) {
        files = try trash.directory(creating: "files", permissions: 0o700)
        info = try trash.directory(creating: "info", permissions: 0o700)
        self.rootPath = rootPath
    }

    /// Moves an entry into the trash and returns its name there.
    ///
    /// - Parameters:
    ///   - path: Where the entry stands below the folder's root.
    ///   - date: In seconds since 1970.
    func take(
        _ name: FilePath.Component, from parent: DirectoryHandle, path: FilePath, date: Int64
    ) throws(Errno) -> FilePath.Component {
        for attempt in 1...Self.attempts {
            let trashed = Self.candidate(name, attempt)
            let note = Self.note(for: trashed)
            do throws(Errno) {
                try writeNote(note, path: path, date: date)
            } catch .fileExists {
                continue
            }
            do throws(Errno) {
                try parent.renameWithoutReplacing(name, to: trashed, in: files)
                return trashed
            } catch .fileExists {
                try info.removeFile(note)
            } catch {
                try? info.removeFile(note)
                throw error
            }
        }
        throw .fileExists
    }

    /// Moves an entry of the trash back; `EEXIST` if its place is taken.
    func restore(
        _ trashed: FilePath.Component, to name: FilePath.Component, in parent: DirectoryHandle
    ) throws(Errno) {
        try files.renameWithoutReplacing(trashed, to: name, in: parent)
        try? info.removeFile(Self.note(for: trashed))
    }

    /// The status of an entry of the trash.
    func status(of trashed: FilePath.Component) throws(Errno) -> FileStatus {
        try files.status(of: trashed)
    }

    private func writeNote(_ note: FilePath.Component, path: FilePath, date: Int64) throws(Errno) {
        let original = PercentEncoding.encode(rootPath.pushing(path))
        let text = "[Trash Info]\nPath=\(original)\nDeletionDate=\(Self.localTime(date))\n"
        let file = try info.open(FilePath(root: nil, [note]), O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        try file.writeAll(Array(text.utf8))
    }

    private static let attempts = 10_000
    private static let noteSuffix = ".trashinfo"

    /// The name in the trash at the given attempt, short enough for its note to have a name as well.
    private static func candidate(_ name: FilePath.Component, _ attempt: Int) -> FilePath.Component {
        let suffix = attempt == 1 ? "" : ".\(attempt)"
        let bytes = name.bytes.prefix(255 - noteSuffix.utf8.count - suffix.utf8.count) + Array(suffix.utf8)
        return FilePath.Component(bytes: bytes) ?? name
    }

    private static func note(for trashed: FilePath.Component) -> FilePath.Component {
        FilePath.Component(bytes: trashed.bytes + Array(noteSuffix.utf8)) ?? trashed
    }

    /// The specification asks for local time without a zone.
    private static func localTime(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        func two(_ value: CInt) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }

    /// The root of the mount that `path` is on.
    private static func topDirectory(of path: FilePath) throws(Errno) -> FilePath {
        var top = path
        var device = try DirectoryHandle(absolute: path).descriptor.status()
        while !device.isMountRoot, let parent = top.parentOnSameFileSystem(as: device.device) {
            top = parent
            device = try DirectoryHandle(absolute: top).descriptor.status()
        }
        return top
    }

    private static func trash(in top: DirectoryHandle) throws(Errno) -> DirectoryHandle {
        let user = getuid()
        if let shared = try? top.directory(at: ".Trash"), let status = try? shared.descriptor.status(),
            status.mode & 0o1000 != 0, let name = FilePath.Component("\(user)"),
            let own = try? shared.directory(creating: name, permissions: 0o700)
        {
            return own
        }
        guard let name = FilePath.Component(".Trash-\(user)") else { throw .invalidArgument }
        return try top.directory(creating: name, permissions: 0o700)
    }
}

extension FilePath {
    /// The parent directory, if it is on the file system with this device number.
    fileprivate func parentOnSameFileSystem(as device: UInt64) -> FilePath? {
        guard !components.isEmpty else { return nil }
        let parent = removingLastComponent()
        guard let status = try? DirectoryHandle(absolute: parent).descriptor.status(), status.device == device else {
            return nil
        }
        return parent
    }
}
