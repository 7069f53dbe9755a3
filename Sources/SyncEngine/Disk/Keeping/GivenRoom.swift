internal import Synchronization

/// How often kept versions gave way on this side's disks.
///
/// Of several threads that find a disk full one removes versions. The others, for which nothing is left to remove, use
/// the room that this made.
final class GivenRoom: Sendable {
    private let count = Mutex(0)

    /// A moment, for ``make(since:_:)``.
    var moment: Int { count.withLock { $0 } }

    /// Removes versions, unless others were removed since a moment; false if there is no more room than there was then.
    ///
    /// - Parameter remove: Removes versions; false if there are none that may go.
    func make(since moment: Int, _ remove: () -> Bool) -> Bool {
        count.withLock { count in
            if count != moment { return true }
            guard remove() else { return false }
            count += 1
            return true
        }
    }
}
