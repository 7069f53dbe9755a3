import DBus
import TestSupport
import Testing

@Suite struct NameTests {
    private let harness: Harness
    private let name = "org.example.Name"

    init() throws { harness = try Harness() }

    private func request(_ connection: Connection, _ flags: NameFlags = []) throws -> NameReply {
        var result: Result<NameReply, DBusError>?
        connection.requestName(name, flags: flags) { result = $0 }
        guard harness.run(until: { result != nil }), let result else { throw DBusError.failed("no answer") }
        return try result.get()
    }

    @Test func aNameIsOwnedReplacedAndReleased() throws {
        let first = try harness.connect()
        let second = try harness.connect()
        var events: [String] = []
        first.onNameAcquired = { events.append("first acquired \($0)") }
        first.onNameLost = { events.append("first lost \($0)") }
        second.onNameAcquired = { events.append("second acquired \($0)") }
        #expect(try request(first, [.allowReplacement, .doNotQueue]) == .primaryOwner)
        #expect(try request(first, [.allowReplacement, .doNotQueue]) == .alreadyOwner)
        #expect(try request(second, .doNotQueue) == .exists)
        #expect(try request(second, [.replaceExisting, .doNotQueue]).isOwner)
        #expect(harness.run { events.count == 3 })
        #expect(Set(events) == ["first acquired \(name)", "first lost \(name)", "second acquired \(name)"])
        #expect(try request(first, .doNotQueue) == .exists)
        #expect(try request(first) == .inQueue)
        var isReleased = false
        second.releaseName(name) { _ in isReleased = true }
        #expect(harness.run { isReleased && events.last == "first acquired \(name)" })
    }

    @Test func theOwnerOfANameIsFollowed() throws {
        let watcher = try harness.connect()
        let owner = try harness.connect()
        var owners: [String?] = []
        let watch = try watcher.watchName(name) { owners.append($0) }
        #expect(harness.run { owners.count == 1 })
        _ = try request(owner)
        #expect(harness.run { owners.count == 2 })
        owner.close()
        #expect(harness.run { owners.count == 3 })
        #expect(owners == [nil, owner.uniqueName, nil])
        watch.cancel()
        _ = try request(try harness.connect())
        #expect(owners.count == 3)
    }

    @Test func aConnectionThatLeavesIsTold() throws {
        let watcher = try harness.connect()
        let staying = try harness.connect()
        let leaving = try harness.connect()
        var told: [String] = []
        var departures: [String] = []
        _ = try watcher.watchDisappearance(of: leaving.uniqueName) { told.append("leaving") }
        _ = try watcher.watchDisappearance(of: staying.uniqueName) { told.append("staying") }
        _ = try watcher.watchDisappearance(of: ":1.9999") { told.append("never there") }
        _ = try watcher.watchDepartures { departures.append($0) }
        #expect(harness.run { told == ["never there"] })
        let cancelled = try watcher.watchDisappearance(of: leaving.uniqueName) { told.append("cancelled") }
        cancelled.cancel()
        _ = try request(leaving)
        leaving.close()
        #expect(harness.run { told.count == 2 && departures.count == 1 })
        #expect(told == ["never there", "leaving"])
        #expect(departures == [leaving.uniqueName])
    }

    @Test func theProcessOfAConnectionIsKnown() throws {
        let connection = try harness.connect()
        var process: UInt32?
        connection.getProcessID(of: connection.uniqueName) { process = try? $0.get() }
        #expect(harness.run { process != nil })
        #expect(process.map { Int32($0) } == ProcessIdentity.own)
    }

    @Test func startingAServiceThatDoesNotExistIsAnError() throws {
        let connection = try harness.connect()
        var failure: DBusError?
        connection.startService("org.example.Missing") { result in
            if case .failure(let error) = result { failure = error }
        }
        #expect(harness.run { failure != nil })
        #expect(failure?.standard == .serviceUnknown)
    }

    @Test func anAddressWithoutABusIsAnError() throws {
        #expect(throws: DBusError.self) {
            try Connection.open(.address("unix:path=/nonexistent/bus"), on: harness.loop)
        }
        #expect(throws: DBusError.self) { try Connection.open(.address("nonsense"), on: harness.loop) }
    }
}
