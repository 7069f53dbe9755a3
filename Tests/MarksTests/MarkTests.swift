import RoundelBus
import SystemPackage
import TestSupport
import Testing

@testable import Marks

/// What was said of a folder, and what follows from it.
@Suite struct MarkTests {
    private let folder: ItemURI

    init() throws { folder = try ItemURI("file:///home/backup") }

    private func mark(_ states: (Badge, Int64?)..., at: [Int64]) -> Mark {
        var mark = Mark(folder, at: 0)
        for (state, now) in zip(states, at) {
            var statement = MarksProxy.Statement(state.0)
            statement.started = state.1
            mark.take(statement, at: now)
        }
        return mark
    }

    @Test("Done is what changed before the last successful run began; a run that failed changes nothing of that")
    func done() {
        let before = mark((.syncing, nil), at: [10])
        #expect(!before.isDone(changed: 5))
        let good = mark((.syncing, nil), (.synced, nil), at: [10, 20])
        #expect(good.isDone(changed: 9) && !good.isDone(changed: 10) && !good.isDone(changed: 15))
        let failed = mark((.syncing, nil), (.synced, nil), (.syncing, nil), (.error, nil), at: [10, 20, 30, 40])
        #expect(failed.isDone(changed: 9) && !failed.isDone(changed: 29))
        #expect(failed.state == .error && failed.folderBadge(isDone: true) == .error)
        // What a caller says of the beginning counts, also if it was not there when the run began.
        #expect(mark((.synced, 7), at: [20]).done == 7)
    }

    @Test("Badges: what changed since waits, or is on its way while a run goes on")
    func badges() {
        let good = mark((.syncing, nil), (.synced, nil), at: [10, 20])
        #expect(good.badge(isDone: true) == .synced && good.badge(isDone: false) == .pending)
        #expect(good.folderBadge(isDone: false) == .pending && good.folderBadge(isDone: true) == .synced)
        let running = mark((.syncing, nil), at: [10])
        #expect(running.badge(isDone: false) == .syncing && running.folderBadge(isDone: true) == .syncing)
        #expect(mark((.paused, nil), at: [10]).badge(isDone: false) == .paused)
    }

    @Test("A run whose caller vanished has failed; one that nobody owns goes on")
    func abandoned() {
        var statement = MarksProxy.Statement(.syncing)
        statement.isOwned = true
        var mark = Mark(folder, at: 0)
        mark.take(statement, at: 1)
        mark.abandon(at: 2)
        #expect(mark.state == .error && !mark.message.isEmpty)
        statement.isOwned = false
        mark.take(statement, at: 3)
        mark.abandon(at: 4)
        #expect(mark.state == .syncing)
    }

    @Test("Marks are read again as they were kept, and damaged lines are passed over")
    func kept() throws {
        let directory = try TemporaryDirectory()
        var statement = MarksProxy.Statement(.error)
        statement.message = "no space left\non the “other” side"
        var mark = Mark(folder, at: 5)
        mark.take(MarksProxy.Statement(.synced), at: 6)
        mark.take(statement, at: 7)
        var book = MarkBook(directory["marks"])
        try book.keep(mark)
        #expect(MarkBook(directory["marks"]).marks == [mark])
        try directory.write("junk\n" + (try directory.read("marks")) + "a b c d e f g h\n", to: "marks")
        #expect(MarkBook(directory["marks"]).marks == [mark])
        try book.forget(folder)
        #expect(MarkBook(directory["marks"]).marks.isEmpty)
    }

    @Test("What is not there is not done")
    func gone() throws {
        let directory = try TemporaryDirectory()
        try directory.write("a", to: "there")
        let mark = mark((.synced, .max), at: [20])
        #expect(ChangeReader.isDone(try ItemURI(path: directory["there"]), mark))
        #expect(!ChangeReader.isDone(try ItemURI(path: directory["gone"]), mark))
    }

    @Test("A file that cannot be read is not replaced")
    func unread() throws {
        let directory = try TemporaryDirectory()
        let long = [UInt8](repeating: UInt8(ascii: "\n"), count: 5 << 20)
        try directory.write(long, to: "marks")
        var book = MarkBook(directory["marks"])
        #expect(throws: Errno.fileTooLarge) { try book.keep(mark((.synced, 7), at: [20])) }
        #expect(try directory.bytes(of: "marks") == long)
    }

    @Test("The age is said once it is a minute")
    func age() {
        let mark = mark((.synced, nil), at: [0])
        #expect(mark.text(at: 59_000_000, isDone: true) == mark.words)
        #expect(mark.text(at: 3_600_000_000, isDone: true) != mark.words)
        #expect(mark.text(at: 59_000_000, isDone: false).hasPrefix("Changed since 1970-01-01"))
    }
}
