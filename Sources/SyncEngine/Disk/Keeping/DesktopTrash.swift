import CLinux
import Glibc
import Support
import SyncCore
import SystemPackage

/// The desktop's trash, as the freedesktop.org trash specification 1.0 lays it out: the home trash for folders on its
/// file system, otherwise one in the top directory of the folder's file system.
struct DesktopTrash: Sendable {
    let files: DirectoryHandle
    let info: DirectoryHandle
    /// The folder's root as the trash's info files give it: absolute in the home trash, otherwise relative to the top
    /// directory.
    let rootPath: [UInt8]

    /// The trash for the folder at the absolute path `root`.
    ///
    /// - Parameter dataHome: `$XDG_DATA_HOME`.
    init(for root: DirectoryHandle, at path: FilePath, dataHome: FilePath) throws(Errno) {
        if let home = try Self.homeTrash(in: dataHome, for: root) {
            try self.init(home, rootPath: path.bytes)
        } else {
            let top = try Self.topDirectory(of: path)
            let relative = path.bytes.dropFirst(top.bytes.count).drop { $0 == UInt8(ascii: "/") }
            let trash = try Self.trash(in: DirectoryHandle(absolute: top))
            // What is in them is as private as the trash itself.
            _ = try Self.own(.constant("files"), in: trash)
            _ = try Self.own(.constant("info"), in: trash)
            try self.init(trash, rootPath: Array(relative))
        }
    }

    /// Opens the home trash for entries from a folder at `path`, which may be gone; nothing is created.
    init(homeTrashOf path: FilePath, dataHome: FilePath) throws(Errno) {
        let home = try DirectoryHandle(absolute: dataHome.appending("Trash"))
        files = try home.directory(at: RelativePath([.constant("files")]))
        info = try home.directory(at: RelativePath([.constant("info")]))
        rootPath = path.bytes
    }

    private init(_ trash: DirectoryHandle, rootPath: [UInt8]) throws(Errno) {
        files = try trash.directory(creating: .constant("files"), permissions: 0o700)
        info = try trash.directory(creating: .constant("info"), permissions: 0o700)
        self.rootPath = rootPath
    }

    /// The home trash, if it is on the folder's file system. If it exists and cannot be opened, no other one replaces
    /// it, because nobody would look for the files there.
    private static func homeTrash(in dataHome: FilePath, for root: DirectoryHandle) throws(Errno) -> DirectoryHandle? {
        let place = dataHome.appending("Trash")
        do throws(Errno) {
            let home = try DirectoryHandle.creating(absolute: place)
            return try home.sharesFileSystem(with: root) ? home : nil
        } catch {
            var above = place
            while !above.components.isEmpty {
                above.removeLastComponent()
                guard let nearest = try? DirectoryHandle(absolute: above) else { continue }
                if try nearest.sharesFileSystem(with: root) { throw error }
                return nil
            }
            throw error
        }
    }

    /// Moves an entry into the trash and returns its name there.
    ///
    /// - Parameters:
    ///   - path: The path of the entry below the folder's root.
    ///   - date: In seconds since 1970.
    ///   - isOwn: Whether syncing puts it there, and not the user.
    func take(
        _ name: EntryName, from parent: DirectoryHandle, path: RelativePath, date: Int64, isOwn: Bool = true
    ) throws(Errno) -> EntryName {
        for attempt in 1...Self.attempts {
            let trashed = Self.candidate(name, attempt)
            let note = Self.note(for: trashed)
            do throws(Errno) {
                try writeNote(note, path: path, date: date, isOwn: isOwn)
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

    /// Moves an entry of the trash back; throws `EEXIST` if its place is taken.
    func restore(
        _ trashed: EntryName, to name: EntryName, in parent: DirectoryHandle
    ) throws(Errno) {
        try files.renameWithoutReplacing(trashed, to: name, in: parent)
        try? info.removeFile(Self.note(for: trashed))
    }

    /// The status of an entry of the trash.
    func status(of trashed: EntryName) throws(Errno) -> FileStatus {
        try files.status(of: trashed)
    }

    private func writeNote(_ note: EntryName, path: RelativePath, date: Int64, isOwn: Bool) throws(Errno) {
        let original = PercentCoding.encode(path: prefix + path.bytes)
        let mark = isOwn ? "\(Self.ownMark)\n" : ""
        let text = "[Trash Info]\nPath=\(original)\nDeletionDate=\(Self.localTime(date))\n\(mark)"
        let file = try info.open(note, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        try file.writeAll(Array(text.utf8))
    }

    /// What the paths in the folder's info files begin with. In a top directory paths are relative, so for the top
    /// directory itself it is nothing.
    var prefix: [UInt8] {
        rootPath.isEmpty || rootPath == [UInt8(ascii: "/")] ? rootPath : rootPath + [UInt8(ascii: "/")]
    }

    private static let attempts = 10_000
    static let noteSuffix = ".trashinfo"

    /// The name in the trash at the given attempt, short enough for its note to have a name as well.
    private static func candidate(_ name: EntryName, _ attempt: Int) -> EntryName {
        let suffix = attempt == 1 ? "" : ".\(attempt)"
        let bytes = name.bytes.prefix(255 - noteSuffix.utf8.count - suffix.utf8.count) + Array(suffix.utf8)
        return EntryName(Array(bytes)) ?? name
    }

    /// The name of the info file about an entry of the trash.
    static func note(for trashed: EntryName) -> EntryName {
        EntryName(trashed.bytes + Array(noteSuffix.utf8)) ?? trashed
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

    /// The trash of a disk that several people may use. One that somebody else has made in this user's name is not used:
    /// its owner could read and delete what comes there.
    private static func trash(in top: DirectoryHandle) throws(Errno) -> DirectoryHandle {
        let user = getuid()
        if let shared = try? top.directory(at: RelativePath([.constant(".Trash")])),
            let status = try? shared.descriptor.status(),
            status.mode & 0o1000 != 0, let name = EntryName("\(user)"),
            let own = try? Self.own(name, in: shared)
        {
            return own
        }
        guard let name = ownName else { throw .invalidArgument }
        return try Self.own(name, in: top)
    }

    /// Removes this user's trash in a directory if nothing is in it.
    static func removeEmpty(in top: DirectoryHandle) {
        let (parts, sizes) = ([EntryName.constant("info"), .constant("files")], EntryName.constant("directorysizes"))
        guard let name = ownName, let own = try? top.directory(at: RelativePath([name])),
            let names = try? own.names(), names.allSatisfy({ parts.contains($0) || $0 == sizes })
        else { return }
        // What cannot be looked into may hold something.
        for part in parts where names.contains(part) {
            guard (try? own.directory(at: RelativePath([part])).names())?.isEmpty == true else { return }
        }
        for part in parts { try? own.removeDirectory(part) }
        try? own.removeFile(sizes)
        try? top.removeDirectory(name)
    }

    /// The name of this user's trash in the top directory of a file system.
    static let ownName = EntryName(".Trash-\(getuid())")

    /// The directory `name`, which must be this user's alone.
    private static func own(_ name: EntryName, in parent: DirectoryHandle) throws(Errno) -> DirectoryHandle {
        let directory = try parent.privateDirectory(name)
        let status = try directory.descriptor.status()
        guard status.owner == geteuid() else { throw .notPermitted }
        // Where all of a file system is as open, nothing in it is secret anyway.
        guard status.mode & 0o022 == 0 || !PermissionBits.areKept(in: directory, name: RandomName.component()) else {
            throw .notPermitted
        }
        return directory
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
