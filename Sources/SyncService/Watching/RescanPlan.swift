internal import Support
internal import SyncCore

/// Decides when to scan a folder whose changes are not all reported. Pure: the caller passes the time.
///
/// The longer a scan takes, the rarer scans become, so that they take at most a thirtieth of the time. While they find
/// nothing, they become rarer still.
struct RescanPlan {
    /// The pause as a multiple of the duration of the previous scan.
    static let pauseForLook = 30
    /// How many times longer the pause becomes, by doubling, while nothing is found.
    static let rarest = 8

    /// The sides whose changes are not all reported.
    private(set) var unwatched: Set<Side> = []
    /// When the next scan is due; nil if none is needed or one is running.
    private(set) var due: Instant?
    /// When the last complete scan began, by the caller's calendar; nil if there was none.
    private(set) var lookedThrough: Int64?
    private var begun: (at: Instant, date: Int64)?
    private var lastBegun: Instant?
    private var took = Duration.zero
    private var rarity = 1
    /// Whether the next or current scan follows a regular pause, not a side becoming unwatched.
    private var isRegular = false

    /// The time between two scans.
    var interval: Duration {
        let base = min(max(took * Self.pauseForLook, Patience.Worker.rescan.shortest), Patience.Worker.rescan.longest)
        return min(base * rarity, Patience.Worker.rescan.longest)
    }

    /// Sets which sides are unwatched. Changes during the switch were not reported, so a side that becomes unwatched is
    /// scanned at once. When a side is watched again, the watcher reports that everything may have changed.
    ///
    /// - Returns: Whether the set of sides changed.
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

    /// Something unknown has changed on a side: a scan is due soon. Reports that arrive together lead to one scan.
    ///
    /// - Returns: Whether it is due earlier than before.
    mutating func hurry(at now: Instant) -> Bool {
        guard !unwatched.isEmpty else { return false }
        let soon = max(now, lastBegun.map { $0 + Patience.Worker.leastRescan } ?? now)
        guard due.map({ soon < $0 }) ?? true else { return false }
        due = soon
        isRegular = false
        return true
    }

    /// Whether a scan is due; if so, it counts as started.
    mutating func takeDue(at now: Instant) -> Bool {
        guard let time = due, time <= now else { return false }
        due = nil
        return true
    }

    /// A full scan begins; `date` becomes ``lookedThrough`` when it ends.
    mutating func begin(at now: Instant, date: Int64) {
        begun = (now, date)
        lastBegun = now
        due = nil
    }

    /// Nothing is in flight any more: the current scan has ended. If it led to work, its duration says nothing about
    /// scanning.
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
