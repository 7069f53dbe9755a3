internal import Glibc
internal import Support
package import SystemPackage

/// The trash of the desktop (freedesktop.org Trash specification), in the person's data directory.
package struct TrashBin: Sendable {
    private let directory: FilePath

    /// How many names are tried for one item.
    private static let mostNames = 10_000

    /// - Parameter data: `$XDG_DATA_HOME`.
    package init(data: FilePath) { directory = data.appending("Trash") }

    /// Moves a file or a symbolic link to the trash.
    /// - Parameter path: Its absolute path, of any bytes.
    /// - Throws: The error of the system; then the item is where it was.
    package func put(_ path: [UInt8]) throws(Errno) {
        let name = Array(path.split(separator: UInt8(ascii: "/")).last ?? [])
        for folder in ["files", "info"] { try Self.makeDirectory(directory.appending(folder)) }
        let taken = try note(path, name)
        let target = Self.bytes(directory.appending("files")) + [UInt8(ascii: "/")] + taken
        do throws(Errno) {
            try move(path, to: target)
        } catch {
            unlink(Self.text(infoPath(of: taken)))
            throw error
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

    /// Writes where the item was, under a name that no other has; gives the name.
    private func note(_ path: [UInt8], _ name: [UInt8]) throws(Errno) -> [UInt8] {
        for number in 1...Self.mostNames {
            let taken = number == 1 ? name : Array("\(number).".utf8) + name
            let file = open(Self.text(infoPath(of: taken)), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if file < 0, errno == EEXIST { continue }
            guard file >= 0 else { throw Self.lastError }
            defer { close(file) }
            let text = "[Trash Info]\nPath=\(PercentCoding.encode(path: path))\nDeletionDate=\(Self.now)\n"
            let written = Array(text.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard written == text.utf8.count else { throw Self.lastError }
            return taken
        }
        throw .fileExists
    }

    private func infoPath(of name: [UInt8]) -> [UInt8] {
        Self.bytes(directory.appending("info")) + [UInt8(ascii: "/")] + name + Array(".trashinfo".utf8)
    }

    private func move(_ path: [UInt8], to target: [UInt8]) throws(Errno) {
        if rename(Self.text(path), Self.text(target)) == 0 { return }
        guard errno == EXDEV else { throw Self.lastError }
        try copy(path, to: target)
        guard unlink(Self.text(path)) == 0 else { throw Self.lastError }
    }

    /// Copies from another file system.
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
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(source, &bytes, bytes.count)
            guard count >= 0 else { throw Self.lastError }
            if count == 0 { break }
            guard write(file, bytes, count) == count else { throw Self.lastError }
        }
        guard fsync(file) == 0 else { throw Self.lastError }
    }

    private static var lastError: Errno { Errno(rawValue: errno) }

    private static func text(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    private static func bytes(_ path: FilePath) -> [UInt8] {
        path.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    /// The local time as the specification wants it.
    private static var now: String { TimeText.text(Int64(time(nil)) * 1_000_000, "%Y-%m-%dT%H:%M:%S", in: .local) }
}
