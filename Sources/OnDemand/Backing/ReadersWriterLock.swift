internal import CFuse
internal import Glibc
internal import SystemPackage

/// A lock for one that changes or many that read. A thread that has it must not ask for it again.
///
/// Unchecked because the compiler does not know that the C library's lock may be used from every thread.
final class ReadersWriterLock: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>

    init() {
        guard let lock = cfuse_make_lock() else { preconditionFailure("out of memory") }
        self.lock = lock
    }

    deinit {
        pthread_rwlock_destroy(lock)
        free(lock)
    }

    func reading<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body()
    }

    func changing<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body()
    }
}
