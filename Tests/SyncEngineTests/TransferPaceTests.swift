import RemoteSupport
import Support
import SyncEngine
import Synchronization
import TestSupport
import Testing

@Suite("Transfers under a limit")
struct TransferPaceTests {
    private func plan(up: UInt64 = 0, down: UInt64 = 0) -> BandwidthPlan {
        var plan = BandwidthPlan()
        (plan.up, plan.down) = (up, down)
        return plan
    }

    @Test("Each way has its own limit, shared by all transfers, and without one nobody waits")
    func shared() async throws {
        let clock = SteppedClock()
        let pace = TransferPace(plan(up: 100_000), clock: clock.clock)
        for _ in 0..<100 { try await pace.pass(1 << 20, .down) }
        #expect(clock.waits == 0 && pace.piece(.down) == .max)
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<10 { try await pace.pass(12_500, .up) } } }
            try await group.waitForAll()
        }
        // A million bytes, of which a quarter of a second's were saved.
        #expect(clock.waited >= 9.75)
    }

    @Test("Pieces are so small that each of eight transfers has its turn several times in a second")
    func pieces() {
        for limit in [UInt64(20_000), 100_000, 1_000_000, 1_000_000_000_000] {
            let piece = TransferPace(plan(up: limit), clock: SteppedClock().clock).piece(.up)
            #expect(piece >= 1_024 && piece <= 65_536 && piece * 16 <= max(limit, 16_384))
        }
    }

    @Test("A new plan counts at once for what waits")
    func changed() async throws {
        let clock = SteppedClock()
        let box = Mutex<TransferPace?>(nil)
        // The plan is changed while the first wait is under way.
        var slow = clock.clock
        let sleep = slow.sleep
        slow.sleep = { duration in
            try await sleep(duration)
            box.withLock { $0 }?.set(BandwidthPlan())
        }
        let pace = TransferPace(plan(down: 20_000), clock: slow)
        box.withLock { $0 = pace }
        try await pace.pass(100_000_000, .down)
        #expect(clock.waits == 1 && clock.waited <= 0.25)
        pace.set(plan(down: 20_000))
        #expect(pace.limits == BandwidthLimits(down: 20_000))
        box.withLock { $0 = nil }
    }

    @Test("The hour decides, and is looked at while bytes pass")
    func hours() async throws {
        let clock = SteppedClock(at: LocalTime(.monday, minute: 479))
        var office = plan()
        office.periods = [BandwidthPlan.Period(from: 480, until: 1_080, up: 50_000)]
        let pace = TransferPace(office, clock: clock.clock)
        try await pace.pass(1 << 30, .up)
        #expect(clock.waits == 0)
        clock.setLocalTime(LocalTime(.monday, minute: 480))
        clock.go(Patience.Syncing.plan)
        try await pace.pass(500_000, .up)
        #expect(clock.waited >= 1 + 9.75)
        clock.setLocalTime(LocalTime(.monday, minute: 1_080))
        clock.go(Patience.Syncing.plan)
        let before = clock.waits
        try await pace.pass(1 << 30, .up)
        #expect(clock.waits == before && pace.limits == .none)
    }

    @Test("What is cancelled ends its wait, and gives back what it took")
    func cancelled() async throws {
        let clock = SteppedClock()
        let sleeps = Mutex(0)
        var endless = clock.clock
        endless.sleep = { _ in
            guard
                sleeps.withLock({ sleeps in
                    sleeps += 1
                    return sleeps == 1
                })
            else { throw Failure("somebody waits for what was given back") }
            try await Task.sleep(for: .seconds(100_000), clock: .continuous)
        }
        let pace = TransferPace(plan(up: 20_000), clock: endless)
        let large = Task { try await pace.pass(1 << 40, .up) }
        try await eventually("it sleeps") { sleeps.withLock { $0 } > 0 }
        large.cancel()
        await #expect(throws: CancellationError.self) { try await large.value }
        // What was saved at the beginning.
        try await pace.pass(5_000, .up)
    }
}
