import TestSupport
import Testing

@testable import DBus

/// Who sends much waits behind itself alone. What is counted are calls, not seconds.
@Suite struct FairnessTests {
    @Test func eachLineHasItsTurnAndKeepsItsOrder() {
        var queue = FairQueue<String>()
        for number in 0..<5 { queue.append("a\(number)", from: "a") }
        queue.append("b0", from: "b")
        queue.append("c0", from: "c")
        queue.append("c1", from: "c")
        var order: [String] = []
        while let element = queue.next() {
            order.append(element)
            if element == "c0" { queue.append("b1", from: "b") }
        }
        #expect(order == ["a0", "b0", "c0", "b1", "a1", "c1", "a2", "a3", "a4"])
        #expect(queue.isEmpty && queue.next() == nil)
    }

    @Test func nothingIsLostOrPutBeforeWhatItsSenderSentEarlier() {
        var random = SeededRandom(for: "fair queue")
        var queue = FairQueue<(sender: Int, number: Int)>()
        var sent = [Int](repeating: 0, count: 4)
        var received = sent
        for _ in 0..<10_000 {
            if Bool.random(using: &random) {
                let sender = Int.random(in: 0..<4, using: &random)
                queue.append((sender, sent[sender]), from: "\(sender)")
                sent[sender] += 1
            } else if let element = queue.next() {
                #expect(element.number == received[element.sender])
                received[element.sender] += 1
            }
            #expect(queue.count == sent.reduce(0, +) - received.reduce(0, +))
        }
        while let element = queue.next() { received[element.sender] += 1 }
        #expect(received == sent)
    }

    /// - Parameters:
    ///   - size: of each call of the flood: libdbus reads 2 KiB at a time, so that a longer one is never the second of two.
    ///   - count: so many fit into the service's socket; what the bus still holds back has no turn yet.
    @Test(arguments: [(0, 120), (5000, 16)])
    func aCallIsNotHandledAfterAllThoseOfAFlood(size: Int, count: Int) throws {
        let harness = try Harness()
        let serving = try EventLoop()
        let service = try Connection.open(harness.bus.address, on: serving)
        defer { service.close() }
        service.takesTurns = true
        var callers: [String] = []
        let method = Interface.Method("Note", in: [("bytes", "ay")]) { call in
            callers.append(call.sender)
            call.reply()
        }
        _ = try service.export(Interface("org.example.Noting", methods: [method]), at: "/x")
        let (flooding, other) = (try harness.connect(), try harness.connect())
        func call(_ connection: Connection, _ size: Int) {
            connection.call(
                service.uniqueName, "/x", "org.example.Noting", "Note",
                { try $0.append(bytes: [UInt8](repeating: 0, count: size)) }, { _ in })
        }
        for _ in 0..<count { call(flooding, size) }
        try passOn(flooding, harness)
        call(other, 0)
        try passOn(other, harness)
        let end = ContinuousClock.now + .seconds(240)
        while callers.count <= count, ContinuousClock.now < end { serving.runOnce(timeout: .milliseconds(10)) }
        #expect(callers.count == count + 1)
        let place = try #require(callers.firstIndex(of: other.uniqueName))
        #expect(place < 5, "the other's call was handled after \(place) of the flood")
    }

    /// Waits until the bus has passed on what was sent before: only then it answers.
    private func passOn(_ connection: Connection, _ harness: Harness) throws {
        _ = try harness.call(
            connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")
    }
}
