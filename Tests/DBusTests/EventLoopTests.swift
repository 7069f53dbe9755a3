import CLinux
import DBus
import Glibc
import Support
import Synchronization
import TestSupport
import Testing

@Suite struct EventLoopTests {
    @Test func timersFireInTheOrderOfTheirDeadlines() throws {
        var random = SeededRandom(for: "timers")
        let loop = try EventLoop()
        let start = Instant.now
        var fired: [Instant] = []
        var timers: [LoopTimer] = []
        var expected: [Instant] = []
        for _ in 0..<300 {
            let deadline = start + .nanoseconds(Int.random(in: 0...20_000_000, using: &random))
            let timer = loop.makeTimer { fired.append(deadline) }
            timer.set(after: .seconds(40))
            timer.set(at: deadline)
            timers.append(timer)
            if Int.random(in: 0..<3, using: &random) == 0 { timer.cancel() } else { expected.append(deadline) }
        }
        let limit = start + .seconds(240)
        while fired.count < expected.count, Instant.now < limit { loop.runOnce(timeout: .seconds(1)) }
        #expect(fired == expected.sorted())
        #expect(timers.allSatisfy { !$0.isSet })
    }

    @Test func aTimerThatWasCancelledLeavesTheLoopAtRest() throws {
        let loop = try EventLoop()
        var fired = 0
        let timer = loop.makeTimer { fired += 1 }
        timer.set(after: .milliseconds(5))
        timer.cancel()
        loop.runOnce(timeout: .milliseconds(50))
        #expect(fired == 0)
        #expect(loop.turns == 1)
    }

    @Test func aTimerThatIsSetToThePastFiresAndOneBeyondTheEndOfTimeDoesNot() throws {
        let loop = try EventLoop()
        var fired: [String] = []
        let timers = ["never", "at once", "at the beginning"].map { name in loop.makeTimer { fired.append(name) } }
        timers[0].set(after: .seconds(Int64.max))
        timers[1].set(after: .seconds(Int64.min))
        timers[2].set(at: Instant(nanoseconds: 0))
        for _ in 0..<100 where fired.count < 2 { loop.runOnce(timeout: .milliseconds(100)) }
        #expect(fired == ["at the beginning", "at once"])
        #expect(timers.map(\.isSet) == [true, false, false])
    }

    @Test func aCalendarTimerFiresOnceAtItsMomentAndAtOnceIfThatHasPassed() throws {
        let loop = try EventLoop()
        var fired = 0
        let timer = try loop.makeCalendarTimer { fired += 1 }
        func run(until count: Int) {
            let limit = Instant.now + .seconds(240)
            while fired < count, Instant.now < limit { loop.runOnce(timeout: .seconds(1)) }
        }
        for (count, past) in [Int64.min, -1, 0, 1, WallClock.microseconds].enumerated() {
            timer.set(at: past)
            run(until: count + 1)
            #expect(fired == count + 1, "\(past)")
        }
        let moment = WallClock.microseconds + 30_000
        timer.set(at: .max)
        timer.set(at: moment)
        run(until: 6)
        #expect(fired == 6 && WallClock.microseconds >= moment)
        // Neither a moment that never comes nor a timer that was cancelled wakes the loop.
        for never in [Int64.max, nil] {
            timer.set(at: 1)
            timer.set(at: never)
            let turns = loop.turns
            loop.runOnce(timeout: .milliseconds(50))
            #expect(fired == 6 && loop.turns == turns + 1)
        }
    }

    @Test func aLoopWaitsNoLongerThanNothing() throws {
        let loop = try EventLoop()
        for timeout in [Duration.zero, .seconds(-1), .seconds(Int64.min)] { loop.runOnce(timeout: timeout) }
        #expect(loop.turns == 3)
    }

    @Test func aHandlerMayCancelAndAddSources() throws {
        let loop = try EventLoop()
        var pipes: [[Int32]] = []
        for _ in 0..<3 {
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            #expect(write(ends[1], "x", 1) == 1)
            pipes.append(ends)
        }
        var calls: [Int] = []
        var sources: [FileDescriptorSource] = []
        for index in 0..<3 {
            sources.append(
                loop.watch(fileDescriptor: pipes[index][0], interest: .read) { events in
                    #expect(events == .read)
                    calls.append(index)
                    for source in sources { source.cancel() }
                    loop.watch(fileDescriptor: pipes[0][1], interest: .write) { _ in
                        calls.append(10)
                        loop.stop()
                    }
                })
        }
        loop.run()
        #expect(calls == [0, 10])
        for ends in pipes { for end in ends { close(end) } }
    }

    @Test func aWakeupFromAnotherThreadIsHandledOnTheLoop() async throws {
        let loop = try EventLoop()
        var count = 0
        let wakeup = try loop.makeWakeup { count += 1 }
        let signalled = Mutex(false)
        async let other: Void = {
            wakeup.signal()
            wakeup.signal()
            signalled.withLock { $0 = true }
        }()
        await other
        #expect(signalled.withLock { $0 })
        loop.runOnce(timeout: .seconds(240))
        #expect(count == 1)
    }

    @Test func workAtTheEndOfTheTurnRunsBeforeTheLoopWaits() throws {
        let loop = try EventLoop()
        var order: [Int] = []
        loop.atEndOfTurn {
            order.append(1)
            loop.atEndOfTurn {
                order.append(2)
                loop.stop()
            }
        }
        loop.run()
        #expect(order == [1, 2])
    }

    @Test func aLoopWithIdleConnectionsDoesNotTurn() throws {
        let harness = try Harness()
        let service = try harness.connect()
        let client = try harness.connect()
        let export = try service.exportEcho(["s"])
        var answered = false
        client.call(service.uniqueName, "/echo", nil, "Echo", timeout: .seconds(25), { try $0.append("x") }) { _ in
            answered = true
        }
        #expect(harness.run { answered })
        // What the first exchange left behind is worked off; then one wait of 100 ms is one turn.
        while true {
            let before = harness.loop.turns
            let start = Instant.now
            harness.loop.runOnce(timeout: .milliseconds(100))
            #expect(harness.loop.turns == before + 1)
            if start.duration(to: .now) >= .milliseconds(100) { break }
        }
        export.cancel()
    }
}
