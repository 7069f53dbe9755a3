internal import Support
internal import SyncCore

/// When a folder is looked through of which not every change is reported. Pure: the caller gives the time.
///
/// The longer a look takes, the less often there is one, so that looking takes a thirtieth of the time at most. While
/// looks find nothing they become rarer still.
struct RescanPlan {
    /// The shortest time between two looks.
    static let shortest = Duration.seconds(60)
    /// The longest.
    static let longest = Duration.seconds(1800)
    /// The least time from one look to the next, whatever is told.
    static let leastPause = Duration.seconds(5)
    /// How many times as long as the look before it the pause is.
    static let pauseForLook = 30
    /// How many times longer the pause becomes while nothing is found, by doubling.
    static let rarest = 8

    /// The sides whose changes are not all reported.
    private(set) var unwatched: Set<Side> = []
    /// When the next look is due; nil while none is needed or one is under way.
    private(set) var due: Instant?
    /// When the last complete look began, as the caller's calendar has it; nil if there was none.
    private(set) var lookedThrough: Int64?
    private var begun: (at: Instant, date: Int64)?
    private var lastBegun: Instant?
    private var took = Duration.zero
    private var rarity = 1
    /// The next look, or the one under way, comes after a pause, and not because a side has turned.
    private var isRegular = false

    /// The time between two looks.
    var interval: Duration {
        let base = min(max(took * Self.pauseForLook, Self.shortest), Self.longest)
        return min(base * rarity, Self.longest)
    }

    /// Sets which sides are unwatched. What changed on one at the turn was not reported: it is looked through at once.
    /// When a side is watched again, the watcher reports that everything may have changed.
    ///
    /// - Returns: whether they are others than before.
    mutating func setUnwatched(_ sides: Set<Side>, at now: Instant) -> Bool {
        guard sides != unwatched else { return false }
        let isWorse = !sides.isSubset(of: unwatched)
        unwatched = sides
        if sides.isEmpty {
            due = nil
        } else if isWorse, begun == nil {
            due = now
            isRegular = false
        }
        return true
    }

    /// Something has changed on a side, nobody says what: a look is due soon. What was told together is looked at together.
    ///
    /// - Returns: whether it is due earlier than before.
    mutating func hurry(at now: Instant) -> Bool {
        guard !unwatched.isEmpty else { return false }
        let soon = max(now, lastBegun.map { $0 + Self.leastPause } ?? now)
        guard due.map({ soon < $0 }) ?? true else { return false }
        due = soon
        isRegular = false
        return true
    }

    /// Whether a look is due; it is then under way as far as this goes.
    mutating func takeDue(at now: Instant) -> Bool {
        guard let time = due, time <= now else { return false }
        due = nil
        return true
    }

    /// A look at everything begins; `date` is what ``lookedThrough`` becomes when it has ended.
    mutating func begin(at now: Instant, date: Int64) {
        begun = (now, date)
        lastBegun = now
        due = nil
    }

    /// Nothing is in flight any more: a look that had begun has ended. One that led to work took longer than looking.
    mutating func finish(at now: Instant, foundChanges: Bool) {
        guard let begun else { return }
        self.begun = nil
        lookedThrough = begun.date
        if !foundChanges || took == .zero { took = max(begun.at.duration(to: now), .zero) }
        if foundChanges { rarity = 1 } else if isRegular { rarity = min(rarity * 2, Self.rarest) }
        isRegular = false
        if !unwatched.isEmpty {
            isRegular = true
            let next = now + interval
            if let due, due < next { isRegular = false } else { due = next }
        }
    }
}
