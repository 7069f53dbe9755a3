import DBus
import TestSupport
import Testing

@testable import SyncService

@Suite("Whether the connection is metered, and who waits for another")
struct MeteredConnectionTests {
    // MARK: What NetworkManager says

    private func actions(_ events: MeteredReading.Event...) -> [MeteredReading.Action] {
        var reading = MeteredReading()
        return events.flatMap { reading.handle($0) }
    }

    @Test("Only what is paid for, or is guessed to be, is metered; numbers that nobody knows are not")
    func values() {
        for value in UInt32.min...5 {
            #expect(actions(.said(value)) == [.tell(isMetered: value == 1 || value == 3)])
        }
        #expect(actions(.said(.max)) == [.tell(isMetered: false)])
        #expect(actions(.said(nil)) == [.tell(isMetered: false)])
    }

    @Test("It is asked where it is, told once for each change, and nothing is metered where it is not")
    func course() {
        #expect(
            actions(
                .isThere(true), .said(1), .said(3), .mayHaveChanged, .said(2), .said(1), .isThere(false),
                .isThere(true), .said(1), .lost)
                == [
                    .ask, .tell(isMetered: true), .ask, .tell(isMetered: false), .tell(isMetered: true),
                    .tell(isMetered: false), .ask, .tell(isMetered: true), .tell(isMetered: false),
                ])
        #expect(actions(.isThere(false), .lost, .isThere(false)) == [.tell(isMetered: false)])
    }

    @Test("A response that comes when it has left says nothing, and is asked for again when it is back")
    func lateResponse() {
        for end in [MeteredReading.Event.isThere(false), .lost] {
            #expect(
                actions(
                    .isThere(true), .said(1), .mayHaveChanged, end, .said(1), .mayHaveChanged, .isThere(true), .said(1))
                    == [.ask, .tell(isMetered: true), .ask, .tell(isMetered: false), .ask, .tell(isMetered: true)])
        }
    }

    // MARK: On a bus

    /// A connection as the worker follows it, and what it was told.
    private final class Follower {
        let harness: Harness
        private(set) var told: [Bool] = []
        private(set) var connection: MeteredConnection!

        init() throws {
            harness = try Harness()
            connection = MeteredConnection(loop: harness.loop, at: harness.bus.address) { [unowned self] in
                told.append($0)
            }
        }

        func wait(for told: [Bool]) -> Bool { harness.run { self.told == told } }
    }

    @Test("It follows by signals, with the value in them or without", arguments: [true, false])
    func followed(emits: Bool) throws {
        let follower = try Follower()
        let manager = try StandInNetworkManager(on: try follower.harness.connect(), .no, emits: emits)
        var isKnown = false
        follower.connection.whenKnown { isKnown = true }
        #expect(!isKnown)
        manager.begin()
        follower.connection.follow()
        #expect(follower.wait(for: [false]))
        #expect(isKnown)
        try manager.set(.guessYes)
        #expect(follower.wait(for: [false, true]) && follower.connection.isMetered)
        try manager.set(.yes)
        try manager.set(.no)
        #expect(follower.wait(for: [false, true, false]))
        try manager.set(.yes)
        #expect(follower.wait(for: [false, true, false, true]))
        manager.end()
        #expect(follower.wait(for: [false, true, false, true, false]))
        manager.begin()
        #expect(follower.wait(for: [false, true, false, true, false, true]))
        follower.connection.close()
    }

    @Test("Without NetworkManager, and without a bus, it is known at once that nothing is metered")
    func absent() throws {
        let follower = try Follower()
        follower.connection.follow()
        #expect(follower.wait(for: [false]))
        follower.connection.close()
        var told: [Bool] = []
        let loop = try EventLoop()
        let nowhere = MeteredConnection(loop: loop, at: .address("unix:path=/nowhere/at/all")) { told.append($0) }
        nowhere.follow()
        nowhere.follow()
        #expect(told == [false])
        var isKnown = false
        nowhere.whenKnown { isKnown = true }
        #expect(isKnown)
    }

    @Test("A bus that goes takes it along")
    func lost() throws {
        let follower = try Follower()
        let manager = try StandInNetworkManager(on: try follower.harness.connect(), .yes)
        manager.begin()
        follower.connection.follow()
        #expect(follower.harness.run { follower.connection.isMetered })
        follower.harness.bus.daemon.kill()
        #expect(follower.harness.run { !follower.connection.isMetered })
    }

    // MARK: Who waits

    private func changes(isAllowed: Bool = false, _ events: MeteredHold.Event...) -> [MeteredHold.Change?] {
        var hold = MeteredHold(isAllowed: isAllowed)
        return events.map { hold.handle($0) }
    }

    @Test("A folder waits while the connection is metered, unless it may use one")
    func waits() {
        #expect(changes(.metered(true), .metered(true), .metered(false)) == [.hold, nil, .goOn])
        #expect(changes(isAllowed: true, .metered(true), .allowed(false), .allowed(true)) == [nil, .hold, .goOn])
        #expect(changes(.allowed(true), .metered(true), .metered(false)) == [nil, nil, nil])
    }

    @Test("A run that a person asks for goes on regardless, and the folder waits again after it")
    func asked() {
        #expect(changes(.metered(true), .asked, .asked, .answered, .answered) == [.hold, .goOn, nil, .hold, nil])
        #expect(changes(.asked, .metered(true), .answered) == [nil, nil, .hold])
        #expect(changes(.metered(true), .asked, .metered(false), .answered) == [.hold, .goOn, nil, nil])
    }
}
