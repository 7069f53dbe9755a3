import CLinux
import DBus
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite struct EventLoopTests {
    @Test func timersFireInTheOrderOfTheirDeadlines() throws {
        var random = SeededRandom(for: "timers")
        let loop = try EventLoop()
        let start = EventLoop.now()
        var fired: [UInt64] = []
        var timers: [LoopTimer] = []
        var expected: [UInt64] = []
        for _ in 0..<300 {
            let deadline = start + UInt64.random(in: 0...20_000_000, using: &random)
            let timer = loop.makeTimer { fired.append(deadline) }
            timer.set(deadline: start + 40_000_000_000)
            timer.set(deadline: deadline)
            timers.append(timer)
            if Int.random(in: 0..<3, using: &random) == 0 { timer.cancel() } else { expected.append(deadline) }
        }
        let limit = start + 10_000_000_000
        while fired.count < expected.count, EventLoop.now() < limit { loop.runOnce(timeout: 1_000_000_000) }
        #expect(fired == expected.sorted())
        #expect(timers.allSatisfy { $0.deadline == nil })
    }

    @Test func aTimerThatWasCancelledLeavesTheLoopAtRest() throws {
        let loop = try EventLoop()
        var fired = 0
        let timer = loop.makeTimer { fired += 1 }
        timer.set(deadline: EventLoop.now() + 5_000_000)
        timer.cancel()
        loop.runOnce(timeout: 50_000_000)
        #expect(fired == 0)
        #expect(loop.turns == 1)
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
        loop.runOnce(timeout: 10_000_000_000)
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
        client.call(service.uniqueName, "/echo", nil, "Echo", timeout: 25_000_000_000, { try $0.append("x") }) { _ in
            answered = true
        }
        #expect(harness.run { answered })
        // What the first exchange left behind is worked off; then one wait of 100 ms is one turn.
        while true {
            let before = harness.loop.turns
            let start = EventLoop.now()
            harness.loop.runOnce(timeout: 100_000_000)
            #expect(harness.loop.turns == before + 1)
            if EventLoop.now() - start >= 100_000_000 { break }
        }
        export.cancel()
    }
}
