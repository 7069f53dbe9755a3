import Support
import Testing

@Suite("The mailbox")
struct MailboxTests {
    @Test("Only what is put into an empty box wakes the receiver")
    func waking() {
        let box = Mailbox<Int>()
        #expect(!box.put(contentsOf: []))
        #expect(box.put(1))
        #expect(!box.put(2) && !box.put(contentsOf: [3, 4]))
        #expect(box.takeAll() == [1, 2, 3, 4])
        #expect(box.takeAll().isEmpty)
        #expect(box.put(contentsOf: [5, 6]))
    }

    @Test("A part can be taken, the oldest first")
    func parts() {
        let box = Mailbox<Int>()
        _ = box.put(contentsOf: [1, 2, 3])
        #expect(box.take(limit: 2) == ([1, 2], true))
        #expect(!box.put(4))
        #expect(box.take(limit: 2) == ([3, 4], false))
        #expect(box.put(5))
    }

    @Test("Nothing is lost or doubled between threads, and the receiver is woken for all of it")
    func threads() async {
        let box = Mailbox<Int>()
        let (senders, each) = (4, 5_000)
        let (wakes, continuation) = AsyncStream.makeStream(of: Void.self)
        let receiver = Task {
            var received: [Int] = []
            for await _ in wakes { received += box.takeAll() }
            return received
        }
        await withTaskGroup { group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<each {
                        if box.put(sender * each + number) { continuation.yield() }
                        // The receiver has its turns in between.
                        if number % 100 == 0 { await Task.yield() }
                    }
                }
            }
        }
        // The receiver ends with the last time that it was woken.
        continuation.finish()
        #expect(await receiver.value.sorted() == Array(0..<senders * each))
    }
}
