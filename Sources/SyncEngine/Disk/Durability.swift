import Dispatch
import Synchronization
import SystemPackage

/// Makes a batch durable in as few steps as its file system allows.
enum Durability {
    /// Up to this many files and directories are synced one by one even on a local file system, because a sync of the
    /// whole of it also waits for what others wrote.
    private static let fewEnough = 8

    /// Makes `count` files or directories durable; true if that was done for the whole file system.
    ///
    /// - Parameters:
    ///   - fileSystem: A descriptor on their file system, opened before any of them was written: an error of writing
    ///     them back is reported there.
    ///   - open: Opens the one with the given index; nil if it is not there any more.
    @discardableResult
    static func synchronize(
        count: Int, kind: DiskKind, fileSystem: Descriptor,
        open: @Sendable (Int) throws(Errno) -> Descriptor?
    ) throws(Errno) -> Bool {
        if count == 0 { return false }
        if kind == .local && count > fewEnough {
            try fileSystem.synchronizeFileSystem()
            return true
        }
        let failure = Mutex<Errno?>(nil)
        DispatchQueue.concurrentPerform(iterations: count) { index in
            do throws(Errno) {
                try open(index)?.synchronize()
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return false
    }
}
