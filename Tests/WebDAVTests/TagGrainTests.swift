import TestSupport
import Testing
import WebDAV

struct TagGrainTests {
    /// Milliseconds that the bound allows, for writes at these milliseconds, each of which took one, on a disk that
    /// counts time in so many of them.
    private func bound(at times: [Int], grain: Int) -> Duration? {
        var found = TagGrain()
        for time in times {
            found.add(
                Array("\(time / grain)".utf8), begun: .milliseconds(time), ended: .milliseconds(time + 1))
        }
        return found.bound
    }

    @Test("writes that are all told apart show a grain that is finer than they are far apart")
    func fine() {
        #expect(bound(at: [0, 2, 4, 6, 8, 10], grain: 1) == .microseconds(2_750))
        #expect(bound(at: [0, 10, 20, 30, 40, 50], grain: 15) == .microseconds(20_500))
        #expect(bound(at: [0, 100, 200, 300, 400, 500], grain: 100) == .microseconds(125_250))
    }

    @Test("a boundary of a coarse grain among the writes shows nothing", arguments: [0, 40, 975, 990, 999])
    func boundary(_ start: Int) {
        #expect(bound(at: [0, 10, 20, 30, 40, 50].map { start + $0 }, grain: 1_000) == nil)
    }

    @Test("writes that take longer than the grain show no more than that, however many there are")
    func slow() {
        #expect(bound(at: [0, 1_000, 2_000, 3_000, 4_000, 5_000], grain: 1_000) == .microseconds(1_250_250))
        #expect(bound(at: [0, 300, 600], grain: 1) == .milliseconds(601))
        #expect(bound(at: [0, 10], grain: 1) == nil)
        #expect(bound(at: [], grain: 1) == nil)
    }

    @Test("some writes in a row are enough")
    func partly() {
        #expect(bound(at: [0, 5_000, 5_010, 5_020, 9_000], grain: 4) == .milliseconds(21))
    }

    @Test("tags that come again show nothing")
    func alternating() {
        var grain = TagGrain()
        for time in 0..<6 {
            grain.add([UInt8(time % 2)], begun: .milliseconds(time), ended: .milliseconds(time + 1))
        }
        #expect(grain.bound == nil)
    }

    /// Else a change that another client makes after the bound could have the tag of what was there.
    @Test func theBoundIsNeverFinerThanTheGrain() {
        var random = SeededRandom(for: "TagGrainTests.theBoundIsNeverFinerThanTheGrain")
        for _ in 0..<2_000 {
            let grain = Int.random(in: 1...2_000, using: &random)
            var writes = TagGrain()
            var time = Int.random(in: 0..<5_000, using: &random)
            for _ in 0..<6 {
                let begun = time
                time += Int.random(in: 0...(Bool.random(using: &random) ? 20 : 900), using: &random)
                let written = Int.random(in: begun...time, using: &random)
                writes.add(Array("\(written / grain)".utf8), begun: .milliseconds(begun), ended: .milliseconds(time))
            }
            if let bound = writes.bound { #expect(bound >= .milliseconds(grain), "\(writes), a grain of \(grain)") }
        }
    }
}
