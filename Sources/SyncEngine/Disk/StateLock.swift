import Glibc
package import SystemPackage

/// The lock on a state directory: of all processes one works with it.
package final class StateLock: Sendable {
    private let file: Descriptor

    /// Why the lock was not taken.
    package enum Failure: Error, Sendable, CustomStringConvertible {
        /// Another process has it.
        case held(FilePath)
        /// The directory cannot be used.
        case system(FilePath, Errno)

        /// A sentence for the person.
        package var description: String {
            switch self {
            case .held(let path):
                "Another roundel-worker already works with \(path). End it, or set XDG_STATE_HOME to another directory."
            case .system(let path, let error):
                "The state directory \(path) cannot be used: \(error)."
            }
        }
    }

    /// Takes the lock on `directory`, which is created if it is missing. Held until the last reference goes, at
    /// the latest until the process ends, however it ends.
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
