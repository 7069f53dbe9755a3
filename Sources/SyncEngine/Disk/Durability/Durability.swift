import Dispatch
import Synchronization
import SystemPackage

/// Makes a batch durable in as few steps as its file system allows.
enum Durability {
    /// Up to this many files and directories are synced one by one even on a local file system, because a sync of the
    /// whole file system also waits for other programs' writes.
    private static let fewEnough = 8

    /// Makes `count` files or directories durable; true if the whole file system was synced.
    ///
    /// - Parameters:
    ///   - whole: Makes everything on their file system durable; nil if that is not worth it however many they are.
    ///   - open: Opens the one with the given index; nil if it no longer exists.
    @discardableResult
    static func synchronize(
        count: Int, whole: (() throws(Errno) -> Void)?,
        open: @Sendable (Int) throws(Errno) -> Descriptor?
    ) throws(Errno) -> Bool {
        if count == 0 { return false }
        if let whole, count > fewEnough {
            try whole()
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
