/// Whether the signals of a thread that waits for contents end its wait.
///
/// The kernel says only that something came. Most signals mean that the program is to do something else, or to end. Some
/// are for its information, and would have it fail for nothing: those it gets when it goes on. None at all means that it
/// is to be frozen, because the computer goes to sleep: a wait would keep that from happening.
enum PendingSignals {
    /// What to do with the wait.
    enum Verdict: Equatable {
        case end
        /// It goes on; the next signal is not told by the kernel, so that somebody has to look.
        case goOn
    }

    /// Children that ended, windows that changed, out-of-band data, being continued, clocks of profilers, I/O that is
    /// ready; and being stopped, which happens as soon as the wait is over.
    private static let patient: UInt64 = [17, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29].reduce(0) { $0 | 1 << ($1 - 1) }

    /// - Parameter status: What `/proc/TID/status` holds; nil if there is no such thread.
    static func verdict(status: String?) -> Verdict {
        guard let status else { return .end }
        var sets: [Substring: UInt64] = [:]
        for line in status.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, ["SigPnd", "ShdPnd", "SigBlk"].contains(parts[0]) else { continue }
            sets[parts[0]] = UInt64(parts[1].filter { !$0.isWhitespace }, radix: 16) ?? 0
        }
        let pending = (sets["SigPnd"] ?? 0) | (sets["ShdPnd"] ?? 0)
        let deliverable = pending & ~(sets["SigBlk"] ?? 0)
        return deliverable != 0 && deliverable & ~patient == 0 ? .goOn : .end
    }
}
