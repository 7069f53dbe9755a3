import TestSupport
import Testing

@testable import DBus

@Suite struct PortionedWorkTests {
    @Test func othersHaveTheirTurnsBetweenThePortions() throws {
        let loop = try EventLoop()
        var done: [Int] = []
        let work = PortionedWork<Int>(loop, portion: 10) { done.append($0) }
        var wakeups = 0
        let wakeup = try loop.makeWakeup { wakeups += 1 }
        work.append(contentsOf: 0..<1000)
        #expect(done.count == 10)
        while done.count < 1000, loop.turns < 1000 {
            let before = done.count
            wakeup.signal()
            loop.runOnce(timeout: .seconds(1))
            // What is due before the loop looks at its descriptors, and what is due after it.
            #expect(done.count - before <= 20)
            #expect(wakeups == Int(loop.turns))
        }
        #expect(done == Array(0..<1000))
        loop.runOnce(timeout: .zero)
        work.append(contentsOf: [7])
        #expect(done.last == 7 && done.count == 1001)
    }

    @Test func piecesThatComeMeanwhileWaitBehindTheOthers() throws {
        let loop = try EventLoop()
        var random = SeededRandom(for: "portions")
        var done: [Int] = []
        var appended = 0
        var depth = 0
        var work: PortionedWork<Int>?
        func add(_ count: Int) {
            let more = appended..<appended + count
            appended += count
            work?.append(contentsOf: more)
        }
        work = PortionedWork(loop, portion: 3) { piece in
            depth += 1
            #expect(depth == 1)
            done.append(piece)
            if appended < 500 { add(Int.random(in: 0...2, using: &random)) }
            depth -= 1
        }
        while appended < 500 {
            add(Int.random(in: 1...5, using: &random))
            loop.runOnce(timeout: .zero)
        }
        for _ in 0..<1000 where done.count < appended { loop.runOnce(timeout: .zero) }
        #expect(done == Array(0..<appended))
    }
}
