import BadgeEngine
import DBus
import Glibc
import RoundelBus
import Synchronization
import TestSupport
import Testing

@testable import BadgeService

@Suite struct TypeFinderTests {
    /// A disk that lets readers wait until it is told to go on, and counts them.
    private final class Disk: Sendable {
        private let isOpen = Mutex(false)
        let readers = Mutex(0)

        func types(of names: [[UInt8]]) -> [[DataType]] {
            readers.withLock { $0 += 1 }
            while !isOpen.withLock({ $0 }) { usleep(1000) }
            return names.map { DataType("image/" + String(decoding: $0, as: UTF8.self)).map { [$0] } ?? [] }
        }

        func setOpen(_ value: Bool) { isOpen.withLock { $0 = value } }
    }

    @Test("A disk that does not answer keeps one thread waiting and nobody else, and is used again when it does")
    func hangingDisk() throws {
        let loop = try EventLoop()
        let disk = Disk()
        var answers: [UInt64: [[String]]] = [:]
        let finder = try TypeFinder(loop: loop, find: { disk.types(of: $0) }) { token, types in
            answers[token.rawValue] = types.map { $0.map(\.name) }
        }
        let items = [try ItemURI("file:///x/png"), .root]
        finder.find(items, for: RequestToken(1))
        finder.find(items, for: RequestToken(2))
        while answers.count < 2 { loop.runOnce(timeout: .milliseconds(20)) }
        #expect(answers == [1: [[], []], 2: [[], []]])
        finder.find(items, for: RequestToken(3))
        #expect(answers[3] == [[], []])
        #expect(disk.readers.withLock { $0 } == 1)
        disk.setOpen(true)
        var token: UInt64 = 3
        while answers[token] == [[], []] {
            token += 1
            finder.find(items, for: RequestToken(token))
            repeat { loop.runOnce(timeout: .milliseconds(20)) } while answers[token] == nil
        }
        #expect(answers[token] == [["image/png"], []])
    }

    @Test("Questions are answered in their order, each with its own types")
    func order() throws {
        let loop = try EventLoop()
        let disk = Disk()
        disk.setOpen(true)
        var answers: [String] = []
        let finder = try TypeFinder(loop: loop, find: { disk.types(of: $0) }) { token, types in
            answers.append("\(token.rawValue) \(types.map { $0.map(\.name) })")
        }
        for number in 1...3 { finder.find([try ItemURI("file:///x/t\(number)")], for: RequestToken(UInt64(number))) }
        while answers.count < 3 { loop.runOnce(timeout: .milliseconds(20)) }
        #expect(answers == (1...3).map { #"\#($0) [["image/t\#($0)"]]"# })
    }
}
