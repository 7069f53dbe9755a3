import Dispatch
import Synchronization
import SystemPackage

/// Makes a batch durable in as few steps as its file system allows.
enum Durability {
    /// Up to this many files and directories are synced one by one even on a local file system, because a sync of the
    /// whole of it also waits for what others wrote.
    private static let fewEnough = 8

    /// Makes `count` files or directories durable.
    ///
    /// - Parameters:
    ///   - fileSystem: A descriptor on their file system, opened before any of them was written: an error of writing
    ///     them back is reported there.
    ///   - open: Opens the one with the given index; nil if it is not there any more.
    static func synchronize(
        count: Int, kind: DiskKind, fileSystem: Descriptor,
        open: @Sendable (Int) throws(Errno) -> Descriptor?
    ) throws(Errno) {
        if count == 0 { return }
        if kind == .local && count > fewEnough { return try fileSystem.synchronizeFileSystem() }
        let failure = Mutex<Errno?>(nil)
        DispatchQueue.concurrentPerform(iterations: count) { index in
            do throws(Errno) {
                try open(index)?.synchronize()
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
