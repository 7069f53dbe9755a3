internal import Glibc
internal import Support
internal import SyncCore
internal import SyncEngine
internal import Synchronization
package import SystemPackage

/// A directory for files in transit between this computer and rclone, which accepts only file names. Only its owner can
/// access it.
package final class Spool: Sendable {
    /// Its path.
    package let directory: FilePath
    private let floor: FreeSpaceFloor
    private let isClear = Mutex(false)

    /// - Parameter floor: How much free space the files must leave.
    init(_ directory: FilePath, leaving floor: FreeSpaceFloor) {
        self.directory = directory
        self.floor = floor
    }

    /// Creates an empty file in it.
    ///
    /// - Parameters:
    ///   - size: The number of bytes that will be written.
    ///   - path: The item that the file is for.
    func make(for size: Int64, of path: RelativePath) throws(EffectFailure) -> SpooledFile {
        do throws(Errno) {
            try prepare()
            try requireSpace(size)
            return try SpooledFile(in: directory, RandomName.component(prefix: "f"))
        } catch {
            throw SpooledFile.failure(error, at: path)
        }
    }

    /// Creates the directory, and removes what an earlier run of this program left there.
    private func prepare() throws(Errno) {
        try isClear.withLock { isClear throws(Errno) in
            guard !isClear else { return }
            var made = FilePath(root: directory.root)
            for component in directory.components {
                made.append(component)
                // Errors show below.
                _ = made.withPlatformString { mkdir($0, 0o700) }
            }
            guard directory.withPlatformString({ chmod($0, 0o700) }) == 0,
                let entries = directory.withPlatformString({ opendir($0) })
            else { throw Errno(rawValue: errno) }
            defer { closedir(entries) }
            // The directory has no subdirectories.
            while let entry = readdir(entries) { unlinkat(dirfd(entries), &entry.pointee.d_name.0, 0) }
            isClear = true
        }
    }

    private func requireSpace(_ size: Int64) throws(Errno) {
        var space = statvfs()
        guard directory.withPlatformString({ statvfs($0, &space) }) == 0 else { return }
        let (available, total) = (Int64(space.f_bavail * space.f_frsize), Int64(space.f_blocks * space.f_frsize))
        if available - size < floor.bytes(for: size, total: total) { throw .noSpace }
    }
}

/// A file in the spool, deleted with the last reference.
final class SpooledFile: Sendable {
    let directory: FilePath
    let name: EntryName
    private let descriptor: Int32

    fileprivate init(in directory: FilePath, _ name: EntryName) throws(Errno) {
        let path = directory.appending(name.description)
        descriptor = path.withPlatformString {
            Glibc.open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        self.directory = directory
        self.name = name
    }

    deinit {
        close(descriptor)
        _ = directory.appending(name.description).withPlatformString { unlink($0) }
    }

    /// Its present size in bytes.
    var size: Int64 { Int64(lseek(descriptor, 0, SEEK_END)) }

    /// Appends bytes.
    func append(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes
        lseek(descriptor, 0, SEEK_END)
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Errno(rawValue: errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Appends a text.
    func append(_ text: String) throws(Errno) {
        let written: Result<Void, Errno> = Array(text.utf8).withUnsafeBytes { bytes in
            do throws(Errno) {
                return .success(try append(bytes))
            } catch {
                return .failure(error)
            }
        }
        try written.get()
    }

    /// Appends this many zeros, which take no space.
    func lengthen(by count: Int) throws(Errno) {
        if ftruncate(descriptor, off_t(size) + off_t(count)) != 0 { throw Errno(rawValue: errno) }
    }

    /// Sets its modification time, which is copied with it if the backend keeps that.
    ///
    /// - Parameter nanoseconds: Nanoseconds since 1970.
    func setModified(_ nanoseconds: Int64) {
        let time = FileTime(nanoseconds: nanoseconds).timespec
        // A time that the file system cannot store is not worth a failure.
        _ = futimens(descriptor, [time, time])
    }

    /// Reads at an offset; 0 if nothing has arrived there yet.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
    }

    /// Converts an error of the spool to a failure of an item.
    static func failure(_ error: Errno, at path: RelativePath) -> EffectFailure {
        switch error {
        case .noSpace, .diskQuotaExceeded: EffectFailure(.noSpace, Explanation(.noSpace, .local, "\(path)"))
        case _: EffectFailure(.io, Explanation(.failed, .local, "\(path)", "\(error.rawValue)"))
        }
    }
}
