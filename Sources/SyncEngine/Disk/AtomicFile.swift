import Glibc
import SyncCore
public import SystemPackage

/// Whole files written so that a reader, and a machine after a crash, sees either the old or the new contents.
public enum AtomicFile {
    /// Writes `bytes` to the file at the absolute `path` and makes file and name durable. The file is readable for
    /// its owner alone.
    public static func write(_ bytes: [UInt8], to path: FilePath) throws(Errno) {
        guard let name = path.lastName else { throw .invalidArgument }
        let directory = try DirectoryHandle.creating(absolute: path.removingLastComponent())
        let staged = RandomName.component(prefix: ".new-")
        do throws(Errno) {
            let file = try directory.open(
                RelativePath([staged]), O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
            try file.writeAll(bytes)
            try file.synchronize()
            try directory.rename(staged, to: name, in: directory)
            try directory.descriptor.synchronize()
        } catch {
            try? directory.removeFile(staged)
            throw error
        }
    }

    /// The contents of the file at `path`; nil if there is none.
    ///
    /// - Parameter limit: A longer file is refused with `EFBIG`.
    public static func read(_ path: FilePath, limit: Int = 16 << 20) throws(Errno) -> [UInt8]? {
        do {
            let raw = try SystemCall.value {
                path.withPlatformString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
            }
            return try Descriptor(owning: raw).readAll(limit: limit)
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch {
            throw error
        }
    }
}

extension Descriptor {
    /// Everything in the file; `EFBIG` if that is more than `limit` bytes.
    func readAll(limit: Int) throws(Errno) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try read(into: &buffer, at: UInt64(contents.count))
            if count == 0 { return contents }
            contents += buffer[..<count]
            if contents.count > limit { throw .fileTooLarge }
        }
    }
}

extension DirectoryHandle {
    /// The directory at an absolute path, created with its ancestors, for its owner alone, where they are missing.
    static func creating(absolute path: FilePath) throws(Errno) -> DirectoryHandle {
        do {
            return try DirectoryHandle(absolute: path)
        } catch Errno.noSuchFileOrDirectory {
            guard let name = path.lastName else { throw .noSuchFileOrDirectory }
            let parent = try creating(absolute: path.removingLastComponent())
            return try parent.directory(creating: name, permissions: 0o700)
        } catch {
            throw error
        }
    }
}

/// Names that nobody else chooses.
enum RandomName {
    /// A name of `prefix` and 16 hexadecimal digits.
    static func component(prefix: String = "") -> EntryName {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        let name = prefix + String(repeating: "0", count: 16 - digits.count) + digits
        return EntryName(name) ?? .constant("staged")
    }

    /// 32 hexadecimal digits.
    static func identifier() -> String {
        component().description + component().description
    }
}

extension FilePath {
    /// The last component as a name; nil for the root of the file system.
    var lastName: EntryName? {
        lastComponent.flatMap { component in
            EntryName(component.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) })
        }
    }

    /// The bytes of the path.
    var bytes: [UInt8] {
        withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
}
