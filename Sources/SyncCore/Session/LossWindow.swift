/// How many items were deleted on one side within the last hour because they had gone from the other, or put back. It
/// is kept in the store, so that deletions which come a few at a time are counted together, over a restart too.
struct LossWindow: Hashable {
    /// Seconds since 1970.
    private(set) var began: Int64
    /// Items that were synced when it began.
    let known: Int
    /// Items from this id on are younger than the window: what comes and goes within it is no loss.
    let firstYoung: NodeID
    /// How many of the items that were there when it began have been deleted or put back.
    var count = 0

    /// In seconds.
    static let length: Int64 = 3_600

    /// A window that begins.
    init(began: Int64, known: Int, firstYoung: NodeID) {
        self.began = began
        self.known = known
        self.firstYoung = firstYoung
    }

    /// Whether it has ended. One that seems to begin in the future was written while the clock was ahead: it begins
    /// now.
    mutating func isOver(at seconds: Int64) -> Bool {
        began = min(began, seconds)
        return seconds - began >= Self.length
    }

    // MARK: In the store

    /// The four numbers, each as eight bytes, the lowest first.
    var bytes: [UInt8] {
        [began, Int64(known), firstYoung.rawValue, Int64(count)].flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
    }

    /// Reads what ``bytes`` gave; nil for anything else.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        let numbers = stride(from: 0, to: 32, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        guard numbers.allSatisfy({ $0 >= 0 && $0 <= Self.largest }) else { return nil }
        self.init(began: numbers[0], known: Int(numbers[1]), firstYoung: NodeID(numbers[2]))
        count = Int(numbers[3])
    }

    /// No sound number comes near it, and sums and doubles of smaller ones cannot overflow.
    private static let largest = Int64.max / 4
}

/// Seconds since 1970 that do not jump while a session lives, whatever is done to the clock of the machine.
struct SteadyClock {
    private var start: Moment?

    /// The time of a moment. The first one is the calendar's; later ones follow the monotonic clock.
    mutating func seconds(at now: Moment) -> Int64 {
        let start = start ?? now
        self.start = start
        return max(0, start.unixSeconds) + (now.instant - start.instant).components.seconds
    }
}
