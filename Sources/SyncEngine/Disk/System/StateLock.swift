import Glibc
package import SystemPackage

/// The lock on a state directory: only one process works with it.
package final class StateLock: Sendable {
    private let file: Descriptor

    /// Why the lock was not taken.
    package enum Failure: Error, Sendable {
        /// Another process has it.
        case held(FilePath)
        /// The directory cannot be used.
        case system(FilePath, Errno)
    }

    /// Acquires the lock on `directory`, which is created if it is missing. It is held until the last reference is
    /// gone, and at the latest until the process ends, however it ends.
    package init(directory path: FilePath) throws(Failure) {
        do throws(Errno) {
            let directory = try DirectoryHandle.creating(absolute: path)
            file = try directory.open(.constant("lock"), O_RDWR | O_CREAT, permissions: 0o600)
            try SystemCall.value { flock(file.raw, LOCK_EX | LOCK_NB) }
        } catch .wouldBlock {
            throw .held(path)
        } catch {
            throw .system(path, error)
        }
    }
}
