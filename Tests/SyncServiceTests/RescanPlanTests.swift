import Support
import SyncCore
import Testing

@testable import SyncService

@Suite("When folders are looked through of which not every change is told")
struct RescanPlanTests {
    private static func at(_ nanoseconds: UInt64) -> Instant { Instant(nanoseconds: nanoseconds) }

    /// A look of so many seconds that found something or did not.
    private func look(_ plan: inout RescanPlan, at now: inout Instant, seconds: Int, finds: Bool) {
        if let due = plan.due { now = max(now, due) }
        _ = plan.takeDue(at: now)
        plan.begin(at: now, date: Int64(now.nanoseconds / 1000))
        now = now + Patience.pause(.seconds(seconds))
        plan.finish(at: now, foundChanges: finds)
    }

    @Test("a side that is not watched any more is looked through at once, a watched folder never")
    func turns() {
        var plan = RescanPlan()
        var isOther = plan.setUnwatched([], at: Self.at(5))
        #expect(plan.due == nil && !isOther)
        isOther = plan.setUnwatched([.local], at: Self.at(7))
        #expect(plan.due == Self.at(7) && isOther)
        var isDue = plan.takeDue(at: Self.at(7))
        #expect(plan.due == nil && isDue && plan.lookedThrough == nil)
        plan.begin(at: Self.at(8), date: 1)
        plan.finish(at: Self.at(9), foundChanges: true)
        #expect(plan.lookedThrough == 1 && plan.due == Self.at(9) + Patience.Worker.rescan.shortest)
        isDue = plan.takeDue(at: Self.at(10))
        #expect(!isDue)
        _ = plan.setUnwatched([.local, .remote], at: Self.at(20))
        #expect(plan.due == Self.at(20))
        _ = plan.setUnwatched([], at: Self.at(30))
        #expect(plan.due == nil)
    }

    @Test("the longer a look takes the rarer it is, from a minute to half an hour")
    func pause() {
        for (seconds, pause) in [(0, 60), (1, 60), (4, 120), (20, 600), (100, 1800), (100_000, 1800)]
            as [(Int, Int)]
        {
            var plan = RescanPlan()
            var now = Self.at(1)
            _ = plan.setUnwatched([.remote], at: now)
            look(&plan, at: &now, seconds: seconds, finds: true)
            #expect(plan.due == now + Patience.pause(.seconds(pause)))
        }
        var plan = RescanPlan()
        _ = plan.setUnwatched([.remote], at: Self.at(0))
        plan.begin(at: Self.at(0), date: 0)
        plan.finish(at: .max, foundChanges: true)
        #expect(plan.due == .max)
    }

    @Test("while nothing is found looks become rarer, and a find makes them frequent again")
    func rarer() {
        var plan = RescanPlan()
        var now = Self.at(0)
        _ = plan.setUnwatched([.local], at: now)
        var pauses: [Duration] = []
        for finds in [false, false, false, false, false, false, true, false] {
            look(&plan, at: &now, seconds: 1, finds: finds)
            pauses.append(plan.interval)
        }
        // The first look was due because nobody watches any more; it says nothing of how often something changes.
        #expect(pauses == [60, 120, 240, 480, 480, 480, 60, 120].map { Patience.pause(.seconds($0)) })
    }

    @Test("the time that a look's finds took to sync does not count as looking")
    func work() {
        var plan = RescanPlan()
        var now = Self.at(0)
        _ = plan.setUnwatched([.local], at: now)
        look(&plan, at: &now, seconds: 4, finds: true)
        look(&plan, at: &now, seconds: 3_000, finds: true)
        #expect(plan.interval == Patience.pause(.seconds(120)))
    }

    @Test("a folder is looked through as of the moment at which the look began, and not before it has ended")
    func date() {
        var plan = RescanPlan()
        _ = plan.setUnwatched([.local], at: Self.at(0))
        plan.begin(at: Self.at(10), date: 77)
        #expect(plan.lookedThrough == nil)
        plan.finish(at: Self.at(20), foundChanges: false)
        #expect(plan.lookedThrough == 77)
        plan.finish(at: Self.at(30), foundChanges: false)
        #expect(plan.lookedThrough == 77)
    }

    @Test(
        "what is told of a side that is not watched brings the next look forward, and not more than one in five seconds"
    )
    func hurried() {
        var plan = RescanPlan()
        let whileWatched = plan.hurry(at: Self.at(0))
        #expect(!whileWatched, "all is watched")
        _ = plan.setUnwatched([.remote], at: Self.at(0))
        plan.begin(at: Self.at(10_000_000_000), date: 0)
        // While a look is under way, another one is to follow it.
        let whileLooking = plan.hurry(at: Self.at(11_000_000_000))
        #expect(whileLooking)
        #expect(plan.due == Self.at(15_000_000_000))
        plan.finish(at: Self.at(12_000_000_000), foundChanges: false)
        #expect(plan.due == Self.at(15_000_000_000))
        let soonAgain = plan.hurry(at: Self.at(13_000_000_000))
        #expect(!soonAgain)
        let isDue = plan.takeDue(at: Self.at(15_000_000_000))
        #expect(isDue)
        plan.begin(at: Self.at(15_000_000_000), date: 0)
        plan.finish(at: Self.at(16_000_000_000), foundChanges: false)
        #expect(plan.due == Self.at(76_000_000_000))
        let later = plan.hurry(at: Self.at(40_000_000_000))
        #expect(later)
        #expect(plan.due == Self.at(40_000_000_000))
    }
}
