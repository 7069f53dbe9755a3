import DBus
import Glibc
import Synchronization
import Testing

@testable import BadgeService

@Suite struct StateSaverTests {
    /// A disk that lets writers wait until it is told to go on.
    private final class Disk: Sendable {
        private let isOpen = Mutex(false)
        let written = Mutex<[String]>([])

        /// Writes a text; has no problem, or the one given.
        func write(_ text: String, problem: String? = nil) -> String? {
            while !isOpen.withLock({ $0 }) { usleep(1000) }
            written.withLock { $0.append(text) }
            return problem
        }

        func goOn() { isOpen.withLock { $0 = true } }
    }

    @Test("Of what is saved while a file is written the latest is written; each file has a thread of its own")
    func latest() throws {
        let loop = try EventLoop()
        let saver = try StateSaver(loop: loop)
        let (slow, quick) = (Disk(), Disk())
        quick.goOn()
        var finished: [String] = []
        var isIdle = false
        for text in ["first", "second", "third"] {
            saver.save("slow", { slow.write(text) }, { _ in finished.append(text) })
        }
        saver.save("quick", { quick.write("other", problem: "full") }, { finished.append($0 ?? "") })
        saver.whenIdle { isIdle = true }
        while finished.isEmpty { loop.runOnce(timeout: .milliseconds(20)) }
        #expect(finished == ["full"] && !isIdle)
        slow.goOn()
        while !isIdle { loop.runOnce(timeout: .milliseconds(20)) }
        #expect(finished == ["full", "first", "third"])
        #expect(slow.written.withLock { $0 } == ["first", "third"])
        #expect(quick.written.withLock { $0 } == ["other"])
        isIdle = false
        saver.whenIdle { isIdle = true }
        #expect(isIdle)
    }
}
