/// How many items were deleted or put back on one side within the last hour because they disappeared from the other. It
/// is kept in the store, so that deletions that arrive in small groups are counted together, even across a restart.
struct LossWindow: Hashable {
    /// Seconds since 1970.
    private(set) var began: Int64
    /// The number of synced items when it began.
    let known: Int
    /// Items from this id on are newer than the window: what appears and disappears within it is not a loss.
    let firstYoung: NodeID
    /// How many of the items that existed when it began have been deleted or put back.
    var count = 0

    /// In seconds.
    static let length: Int64 = 3_600

    /// A new window.
    init(began: Int64, known: Int, firstYoung: NodeID) {
        self.began = began
        self.known = known
        self.firstYoung = firstYoung
    }

    /// Whether it has ended. A window that seems to begin in the future was written while the clock was ahead: it then
    /// begins now.
    mutating func isOver(at seconds: Int64) -> Bool {
        began = min(began, seconds)
        return seconds - began >= Self.length
    }

    // MARK: In the store

    /// The four numbers as eight bytes each, little-endian.
    var bytes: [UInt8] {
        [began, Int64(known), firstYoung.rawValue, Int64(count)].flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
    }

    /// Parses ``bytes``; nil for anything else.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        let numbers = stride(from: 0, to: 32, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        guard numbers.allSatisfy({ $0 >= 0 && $0 <= Self.largest }) else { return nil }
        self.init(began: numbers[0], known: Int(numbers[1]), firstYoung: NodeID(numbers[2]))
        count = Int(numbers[3])
    }

    /// No valid number comes near it, and neither sums nor doubles of smaller ones can overflow.
    private static let largest = Int64.max / 4
}

/// Seconds since 1970 that do not jump during a session, whatever happens to the machine's clock.
struct SteadyClock {
    private var start: Moment?

    /// The time of a moment: the first one by the calendar, later ones by the monotonic clock.
    mutating func seconds(at now: Moment) -> Int64 {
        let start = start ?? now
        self.start = start
        return max(0, start.unixSeconds) + (now.instant - start.instant).components.seconds
    }
}
