import DBus
import TestSupport
import Testing

@Suite struct AsyncConnectionTests {
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private func service(_ methods: @escaping @Sendable () -> [Interface.Method]) async throws -> AsyncConnection {
        let connection = try await AsyncConnection.open(bus.address)
        try await connection.perform { connection in
            _ = try connection.export(Interface("org.example.A", methods: methods()), at: "/a")
        }
        return connection
    }

    @Test func callsAreAnsweredWithValues() async throws {
        let service = try await service {
            [
                .init("Double", in: [("number", "u")], out: [("number", "u")]) { call in
                    var reader = call.reader
                    let number = try reader.readUInt32()
                    call.reply { try $0.append(number * 2) }
                }
            ]
        }
        let client = try await AsyncConnection.open(bus.address)
        let values = try await client.call(service.uniqueName, "/a", "org.example.A", "Double", [.uint32(21)])
        #expect(values == [.uint32(42)])
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in UInt32(0)..<200 {
                group.addTask {
                    let answer = try await client.call(
                        service.uniqueName, "/a", nil, "Double", write: { try $0.append(number) },
                        read: { try $0.readUInt32() })
                    return answer == number * 2
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        await client.close()
        await service.close()
    }

    @Test func aCancelledTaskGivesItsCallUp() async throws {
        let service = try await service { [.init("Never") { _ = Unmanaged.passRetained($0) }] }
        let client = try await AsyncConnection.open(bus.address)
        let task = Task { try await client.call(service.uniqueName, "/a", nil, "Never", timeout: nil) }
        // The ping comes after the call, if that was made already; both orders must end in the cancellation.
        _ = try await client.call(service.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.call(service.uniqueName, "/a", nil, "Never", timeout: nil)
        }
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test func errorsAndDeadlinesAreThrown() async throws {
        let service = try await service {
            [
                .init("Refuse") { _ in throw DBusError(name: "org.example.No", message: "No.") },
                .init("Never") { _ = Unmanaged.passRetained($0) },
            ]
        }
        let client = try await AsyncConnection.open(bus.address)
        await #expect(throws: DBusError(name: "org.example.No", message: "No.")) {
            try await client.call(service.uniqueName, "/a", nil, "Refuse")
        }
        let late = await #expect(throws: DBusError.self) {
            try await client.call(service.uniqueName, "/a", nil, "Never", timeout: .milliseconds(10))
        }
        #expect(late?.standard == .noReply)
        let wrong = await #expect(throws: DBusError.self) {
            try await client.call(
                service.uniqueName, "/", "org.freedesktop.DBus.Peer", "GetMachineId", write: { _ in },
                read: { try $0.readUInt32() })
        }
        #expect(wrong != nil)
        await client.close()
        await #expect(throws: DBusError.disconnected) { try await client.call(service.uniqueName, "/a", nil, "Refuse") }
        await #expect(throws: DBusError.disconnected) { try await client.perform { _ in } }
        await client.close()
    }

    @Test func signalsComeAsAStream() async throws {
        let service = try await AsyncConnection.open(bus.address)
        let client = try await AsyncConnection.open(bus.address)
        let signals = try client.signals(MatchRule(interface: "org.example.S"))
        _ = try await client.call(service.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
        try await service.perform { connection in
            for number in UInt32(0)..<3 {
                try connection.emit("/s", "org.example.S", "Number") { try $0.append(number) }
            }
        }
        var numbers: [DBusValue] = []
        for await signal in signals {
            #expect(signal.sender == service.uniqueName)
            numbers += signal.arguments
            if numbers.count == 3 { break }
        }
        #expect(numbers == [.uint32(0), .uint32(1), .uint32(2)])
        #expect(throws: DBusError.self) { try client.signals(MatchRule(member: "not a member")) }
    }

    @Test func theOwnerOfANameIsFollowed() async throws {
        let client = try await AsyncConnection.open(bus.address)
        let service = try await AsyncConnection.open(bus.address)
        var owners = client.owners(of: "org.example.Owned").makeAsyncIterator()
        #expect(await owners.next() == .some(nil))
        #expect(try await service.requestName("org.example.Owned") == .primaryOwner)
        #expect(await owners.next() == service.uniqueName)
        await service.close()
        #expect(await owners.next() == .some(nil))
    }

    @Test func theEndOfTheBusEndsStreamsAndCalls() async throws {
        let client = try await AsyncConnection.open(bus.address)
        let signals = try client.signals(MatchRule(interface: "org.example.S"))
        async let gone: Void = client.waitUntilDisconnected()
        _ = try await client.perform { $0.isConnected }
        bus.daemon.kill()
        for await signal in signals { Issue.record("unexpected \(signal)") }
        await gone
        await #expect(throws: DBusError.disconnected) { try await client.call("org.example.X", "/", nil, "X") }
    }

    @Test func anIdleConnectionDoesNotTurnItsLoop() async throws {
        let client = try await AsyncConnection.open(bus.address)
        _ = try await client.call(client.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping", timeout: .seconds(25))
        let signals = try client.signals(MatchRule(interface: "org.example.S"))
        var turns = try await client.perform { $0.loop.turns }
        // Each question is itself one turn; once the start is worked off there are no others.
        var quiet = 0
        for _ in 0..<1000 where quiet < 20 {
            let now = try await client.perform { $0.loop.turns }
            quiet = now == turns + 1 ? quiet + 1 : 0
            turns = now
        }
        #expect(quiet == 20)
        withExtendedLifetime(signals) {}
    }

    @Test func noBusIsAnError() async throws {
        await #expect(throws: DBusError.self) {
            try await AsyncConnection.open(.address("unix:path=/nonexistent/bus"))
        }
    }
}
