import DBus
import Testing

@testable import Desktop

@Suite("Work that is held back")
struct PaceTests {
    @Test(
        "The first time it is done at once, what is asked for meanwhile is done once, later, and nothing wakes up then")
    func paced() throws {
        let loop = try EventLoop()
        var count = 0
        let pace = Pace(loop, interval: .milliseconds(20)) { count += 1 }
        pace.request()
        #expect(count == 1)
        // A request that comes late, because this thread was kept from running, is due at once.
        var early = 0
        repeat {
            early = count
            pace.request()
        } while count != early
        while count == early { loop.runOnce(timeout: nil) }
        #expect(count == early + 1)
        let turns = loop.turns
        loop.runOnce(timeout: .milliseconds(60))
        #expect(count == early + 1)
        #expect(loop.turns == turns + 1)
    }

    @Test("What presses is done at once and takes what waited with it")
    func pressing() throws {
        let loop = try EventLoop()
        var count = 0
        let pace = Pace(loop, interval: .seconds(60)) { count += 1 }
        pace.request()
        pace.request()
        pace.run()
        #expect(count == 2)
        loop.runOnce(timeout: .zero)
        #expect(count == 2)
    }

    @Test("One that is let go does nothing any more")
    func released() throws {
        let loop = try EventLoop()
        var count = 0
        var pace: Pace? = Pace(loop, interval: .milliseconds(1)) { count += 1 }
        pace?.run()
        pace?.request()
        let before = count
        pace = nil
        loop.runOnce(timeout: .milliseconds(20))
        #expect(count == before)
    }
}
