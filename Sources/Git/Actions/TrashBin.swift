internal import CLinux
internal import Glibc
internal import Support
package import SystemPackage

/// The trash of the desktop (freedesktop.org Trash specification), in the person's data directory.
package struct TrashBin: Sendable {
    private let directory: FilePath

    /// An item in the trash.
    package struct Kept: Sendable {
        /// Where it was.
        fileprivate let path: [UInt8]
        /// Its name in the trash.
        fileprivate let name: [UInt8]
    }

    /// How many names are tried for one item.
    private static let mostNames = 10_000

    /// - Parameter data: `$XDG_DATA_HOME`.
    package init(data: FilePath) { directory = data.appending("Trash") }

    /// Moves a file or a symbolic link to the trash.
    /// - Parameter path: Its absolute path, of any bytes.
    /// - Throws: The error of the system; then the item is where it was.
    package func put(_ path: [UInt8]) throws(Errno) -> Kept {
        let name = Array(path.split(separator: UInt8(ascii: "/")).last ?? [])
        for folder in ["files", "info"] { try Self.makeDirectory(directory.appending(folder)) }
        for number in 1...Self.mostNames {
            let taken = number == 1 ? name : Array("\(number).".utf8) + name
            do throws(Errno) {
                try note(path, taken)
            } catch Errno.fileExists {
                continue
            }
            do throws(Errno) {
                try move(path, to: filePath(of: taken))
                return Kept(path: path, name: taken)
            } catch {
                unlink(Self.text(infoPath(of: taken)))
                // There may be a file without a note, which somebody may still want.
                guard error == .fileExists else { throw error }
            }
        }
        throw .fileExists
    }

    /// Moves an item back to where it was; it stays in the trash if something else is there, or that fails.
    package func putBack(_ item: Kept) {
        do throws(Errno) {
            try move(filePath(of: item.name), to: item.path)
            unlink(Self.text(infoPath(of: item.name)))
        } catch {
            log(.warning, "\(DisplayText.decoding(item.path)) stays in the trash: \(error)")
        }
    }

    /// Makes a directory, and those above it that are missing, for this person alone.
    private static func makeDirectory(_ path: FilePath) throws(Errno) {
        if path.withPlatformString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path.components.count > 1 else { throw lastError }
        try makeDirectory(path.removingLastComponent())
        let made = path.withPlatformString { mkdir($0, 0o700) }
        guard made == 0 || errno == EEXIST else { throw lastError }
    }

    /// Writes where the item was, under a name in the trash.
    /// - Throws: `fileExists` if another item has the name.
    private func note(_ path: [UInt8], _ name: [UInt8]) throws(Errno) {
        let place = Self.text(infoPath(of: name))
        let file = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.lastError }
        defer { close(file) }
        let text = "[Trash Info]\nPath=\(PercentCoding.encode(path: path))\nDeletionDate=\(Self.now)\n"
        let written = Array(text.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard written == text.utf8.count else {
            let error = written < 0 ? Self.lastError : .noSpace
            unlink(place)
            throw error
        }
    }

    private func filePath(of name: [UInt8]) -> [UInt8] {
        Self.bytes(directory.appending("files")) + [UInt8(ascii: "/")] + name
    }

    private func infoPath(of name: [UInt8]) -> [UInt8] {
        Self.bytes(directory.appending("info")) + [UInt8(ascii: "/")] + name + Array(".trashinfo".utf8)
    }

    /// Moves a file or a symbolic link to a path where nothing is.
    /// - Throws: The error of the system, `fileExists` if something is there; then the item is where it was.
    private func move(_ path: [UInt8], to target: [UInt8]) throws(Errno) {
        let (from, to) = (Self.text(path), Self.text(target))
        if clinux_renameat2(AT_FDCWD, from, AT_FDCWD, to, CLINUX_RENAME_NOREPLACE) == 0 { return }
        if errno == EINVAL {
            // Not every file system can promise to replace nothing.
            var status = stat()
            guard lstat(to, &status) != 0 else { throw .fileExists }
            if rename(from, to) == 0 { return }
        }
        guard errno == EXDEV else { throw Self.lastError }
        try copy(path, to: target)
        guard unlink(from) == 0 else {
            let error = Self.lastError
            unlink(to)
            throw error
        }
    }

    /// Copies from another file system; nothing is left of a copy that fails.
    private func copy(_ path: [UInt8], to target: [UInt8]) throws(Errno) {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(Self.text(path), &buffer, buffer.count - 1)
        if length >= 0 {
            guard symlink(buffer, Self.text(target)) == 0 else { throw Self.lastError }
            return
        }
        let source = open(Self.text(path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard source >= 0 else { throw Self.lastError }
        defer { close(source) }
        let file = open(Self.text(target), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.lastError }
        defer { close(file) }
        do throws(Errno) {
            try Self.copy(source, to: file)
        } catch {
            unlink(Self.text(target))
            throw error
        }
    }

    private static func copy(_ source: Int32, to file: Int32) throws(Errno) {
        var status = stat()
        guard fstat(source, &status) == 0, fchmod(file, status.st_mode & 0o777) == 0 else { throw lastError }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(source, &bytes, bytes.count)
            guard count >= 0 else { throw lastError }
            if count == 0 { break }
            let written = write(file, bytes, count)
            guard written == count else { throw written < 0 ? lastError : .noSpace }
        }
        guard fsync(file) == 0 else { throw lastError }
    }

    private static var lastError: Errno { Errno(rawValue: errno) }

    private static func text(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    private static func bytes(_ path: FilePath) -> [UInt8] {
        path.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    /// The local time as the specification wants it.
    private static var now: String { TimeText.text(Int64(time(nil)) * 1_000_000, "%Y-%m-%dT%H:%M:%S", in: .local) }
}
