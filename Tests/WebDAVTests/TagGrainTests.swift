import Testing
import WebDAV

struct TagGrainTests {
    /// Writes at these milliseconds, each of which took one, on a disk that counts time in so many of them.
    private func isFine(at times: [Int], grain: Int) -> Bool {
        var found = TagGrain()
        for time in times {
            found.add(
                Array("\(time / grain)".utf8), begun: .milliseconds(time), ended: .milliseconds(time + 1))
        }
        return found.isFine
    }

    @Test("writes that are all told apart show a grain that is finer than they are far apart")
    func fine() {
        #expect(isFine(at: [0, 10, 20, 30, 40, 50], grain: 1))
        #expect(isFine(at: [0, 10, 20, 30, 40, 50], grain: 15))
        #expect(isFine(at: [0, 100, 200, 300, 400, 500], grain: 100))
    }

    @Test("a boundary of a coarse grain among the writes shows nothing", arguments: [0, 40, 975, 990, 999])
    func boundary(_ start: Int) {
        #expect(!isFine(at: [0, 10, 20, 30, 40, 50].map { start + $0 }, grain: 1_000))
    }

    @Test("writes that take longer than the grain show nothing, however many there are")
    func slow() {
        #expect(!isFine(at: [0, 1_000, 2_000, 3_000, 4_000, 5_000], grain: 1_000))
        #expect(!isFine(at: [0, 300, 600], grain: 1))
        #expect(!isFine(at: [0, 10], grain: 1))
        #expect(!isFine(at: [], grain: 1))
    }

    @Test("some writes in a row are enough")
    func partly() {
        #expect(isFine(at: [0, 5_000, 5_010, 5_020, 9_000], grain: 4))
    }

    @Test("tags that come again show nothing")
    func alternating() {
        var grain = TagGrain()
        for time in 0..<6 {
            grain.add([UInt8(time % 2)], begun: .milliseconds(time), ended: .milliseconds(time + 1))
        }
        #expect(!grain.isFine)
    }
}
