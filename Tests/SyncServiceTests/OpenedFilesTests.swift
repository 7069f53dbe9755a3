import MountProtocol
import Support
import Testing

@testable import SyncService

/// Which contents are fetched when, of files that programs open.
@Suite struct OpenedFilesTests {
    private var rule = OpenedFiles()
    private var now = Instant(nanoseconds: 1_000_000_000_000)
    private var last: UInt64 = 0

    private mutating func handle(_ event: OpenedFiles.Event) -> [OpenedFiles.Action] {
        rule.handle(event, at: now).filter { if case .setTimer = $0 { false } else { true } }
    }

    private mutating func open(_ program: String = "cp", bytes: Int64 = 1) -> (FetchNumber, [OpenedFiles.Action]) {
        last += 1
        let file = FetchNumber(rawValue: last)
        return (file, handle(.opened(file, by: program, bytes: bytes)))
    }

    /// A program opens files one after the other and gets each.
    private mutating func read(_ count: Int, _ program: String = "cp", bytes: Int64 = 1) {
        for _ in 0..<count {
            let (file, actions) = open(program, bytes: bytes)
            #expect(actions == [.fetch(file)])
            _ = handle(.ended(file))
        }
    }

    @Test("A program that opens a thousand files gets four at a time, in their order")
    mutating func fourAtATime() {
        let files = (0..<1_000).map { _ in open() }
        let begun = files.flatMap { $0.1 }
        #expect(begun == files.prefix(4).map { OpenedFiles.Action.fetch($0.0) })
        for index in 0..<90 { #expect(handle(.ended(files[index].0)) == [.fetch(files[index + 4].0)]) }
        // Another program waits for none of them.
        let (other, actions) = open("cat")
        #expect(actions == [.fetch(other)])
    }

    @Test("A program that goes on after a hundred files is asked about, once, and gets nothing meanwhile")
    mutating func question() {
        read(OpenedFiles.filesUnasked)
        let (first, actions) = open()
        #expect(actions == [.ask(program: "cp")])
        let (second, more) = open()
        #expect(more == [])
        #expect(
            handle(.answered(program: "cp", mayDownload: true)) == [
                .endQuestion(program: "cp"), .fetch(first), .fetch(second),
            ])
        for file in [first, second] { _ = handle(.ended(file)) }
        read(1_000)
    }

    @Test(
        "With the answer no, what waits fails at once, and so does what it opens then, until it was quiet for a while")
    mutating func refusal() {
        read(OpenedFiles.filesUnasked)
        let (first, _) = open()
        #expect(handle(.answered(program: "cp", mayDownload: false)) == [.endQuestion(program: "cp"), .refuse(first)])
        let (second, actions) = open()
        #expect(actions == [.refuse(second)])
        now = now + Patience.Worker.quietProgram
        #expect(handle(.timer) == [])
        read(1)
    }

    @Test("A question that nobody answers is one with the answer no")
    mutating func noAnswer() {
        read(OpenedFiles.filesUnasked)
        let (file, _) = open()
        now = now + Patience.Worker.downloadQuestion
        #expect(handle(.timer) == [.endQuestion(program: "cp"), .refuse(file)])
        #expect(rule.isEmpty)
    }

    @Test("A question is over when nobody waits any more")
    mutating func given() {
        read(OpenedFiles.filesUnasked)
        let (file, _) = open()
        #expect(handle(.ended(file)) == [.endQuestion(program: "cp")])
    }

    @Test("Somebody who opens files slowly is never asked")
    mutating func slowly() {
        for _ in 0..<1_000 {
            read(1)
            now = now + Patience.Worker.quietProgram / 50
        }
    }

    @Test("A few large files are no question, many are")
    mutating func largeFiles() {
        read(OpenedFiles.filesOfAnySize, bytes: OpenedFiles.bytesUnasked)
        #expect(open(bytes: 1).1 == [.ask(program: "cp")])
        read(50, "mpv", bytes: 1)
    }

    @Test("Sizes as large as can be are no trouble")
    mutating func hostileSizes() {
        for _ in 0..<8 {
            let (file, _) = open("big", bytes: .max)
            _ = handle(.ended(file))
        }
    }

    @Test("What ended and was never opened changes nothing")
    mutating func unknown() {
        #expect(rule.handle(.ended(FetchNumber(rawValue: 9)), at: now) == [])
        #expect(rule.handle(.answered(program: "x", mayDownload: true), at: now) == [])
    }
}
