import Glibc
import TestSupport
import Testing

@testable import DBus

/// A reply names only the number of its call. Whoever guesses that must not be able to answer in another's place.
@Suite struct ReplySenderTests {
    private static let name = "org.example.Answers"

    private let harness: Harness
    private let service: Connection
    private let client: Connection
    private let stranger: Connection

    init() throws {
        harness = try Harness()
        service = try harness.connect()
        client = try harness.connect()
        stranger = try harness.connect()
    }

    /// Exports a method whose calls are kept.
    private func keepCalls(of connection: Connection, _ keep: @escaping (MethodCall) -> Void) throws {
        _ = try connection.export(
            Interface("org.example.Answers", methods: [.init("Ask", out: [("text", "s")], keep)]), at: "/answers")
    }

    private func own(_ connection: Connection, flags: NameFlags = .allowReplacement) {
        var isOwner = false
        connection.requestName(Self.name, flags: flags) { if (try? $0.get())?.isOwner == true { isOwner = true } }
        #expect(harness.run { isOwner })
    }

    /// Answers a call from another connection than the one that got it.
    private func forge(_ call: MethodCall, _ text: String, asError: Bool = false) throws {
        let header: MessageHeader =
            asError
            ? .refusal(of: call.message, named: StandardError.failed.rawValue) : .reply(to: call.message)
        try stranger.send(try MessageWriter.message(header) { try $0.append(text) })
        // What the stranger says after it has arrived when this has.
        _ = try harness.call(stranger, client.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
    }

    @Test(arguments: [false, true], [false, true])
    func anotherConnectionsReplyIsPassedOver(byName: Bool, asError: Bool) throws {
        var calls: [MethodCall] = []
        try keepCalls(of: service) { calls.append($0) }
        if byName { own(service) }
        var answers: [Result<Message, DBusError>] = []
        client.call(byName ? Self.name : service.uniqueName, "/answers", nil, "Ask") { answers.append($0) }
        #expect(harness.run { !calls.isEmpty })
        try forge(calls[0], "forged", asError: asError)
        #expect(answers.isEmpty)
        calls[0].reply { try $0.append("true") }
        #expect(harness.run { !answers.isEmpty })
        #expect(try answers.map { try $0.get().arguments() } == [[.string("true")]])
    }

    @Test func theOwnerAtTheTimeOfTheCallAndALaterOneMayAnswer() throws {
        var calls: [MethodCall] = []
        try keepCalls(of: service) { calls.append($0) }
        let successor = try harness.connect()
        try keepCalls(of: successor) { calls.append($0) }
        own(service)
        var answers: [String] = []
        func ask() {
            client.call(Self.name, "/answers", nil, "Ask") { result in
                var reader = (try? result.get())?.reader
                if let text = try? reader?.readString() { answers.append(text) }
            }
        }
        ask()
        #expect(harness.run { calls.count == 1 })
        own(successor, flags: .replaceExisting)
        ask()
        #expect(harness.run { calls.count == 2 })
        calls[1].reply { try $0.append("successor") }
        calls[0].reply { try $0.append("first owner") }
        #expect(harness.run { answers.count == 2 })
        #expect(answers.sorted() == ["first owner", "successor"])
    }

    @Test func theBusAnswersForAConnectionThatLeft() throws {
        var calls: [MethodCall] = []
        try keepCalls(of: service) { calls.append($0) }
        own(service)
        var errors: [DBusError] = []
        for name in [Self.name, service.uniqueName] {
            client.call(name, "/answers", nil, "Ask") { if case .failure(let error) = $0 { errors.append(error) } }
        }
        #expect(harness.run { calls.count == 2 })
        service.close()
        #expect(harness.run { errors.count == 2 })
        #expect(errors.allSatisfy { $0.standard == .noReply })
    }

    @Test func aServiceThatIsStartedByTheCallMayAnswer() throws {
        let script = harness.bus.directory + "/started.py"
        let file = try #require(fopen(script, "w"))
        fputs(Self.startedService, file)
        fclose(file)
        defer { unlink(script) }
        try harness.bus.addService("org.example.Fails", command: "/usr/bin/python3 \(script)")
        let reply = try harness.call(client, "org.example.Fails", "/", "org.example.Fails", "Ask")
        #expect(try reply.arguments() == [.string("started")])
    }

    /// Takes the name for which it was started and answers every call of Ask.
    private static let startedService = """
        from gi.repository import Gio, GLib
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        def filter(bus, message, is_incoming):
            if is_incoming and message.get_member() == 'Ask':
                reply = message.new_method_reply()
                reply.set_body(GLib.Variant('(s)', ('started',)))
                bus.send_message(reply, Gio.DBusSendMessageFlags.NONE)
                return None
            return message
        bus.add_filter(filter)
        Gio.bus_own_name_on_connection(bus, 'org.example.Fails', 0)
        GLib.MainLoop().run()
        """

    @Test func aProcessThatGuessesSerialsAnswersNothing() throws {
        var calls: [MethodCall] = []
        try keepCalls(of: service) { calls.append($0) }
        own(service)
        var forged = 0
        var answers: [[DBusValue]] = []
        for name in [Self.name, service.uniqueName] {
            client.call(name, "/answers", nil, "Ask") { result in
                answers.append((try? result.get().arguments()) ?? [])
            }
        }
        // The bus is asked meanwhile, too.
        client.call(Self.name, "/answers", "org.freedesktop.DBus.Peer", "Ping") { _ in }
        _ = try harness.output(of: ["/usr/bin/python3", "-c", Self.guesser, client.uniqueName])
        client.getOwner(of: Self.name) { result in
            if (try? result.get()) != service.uniqueName { forged += 1 }
        }
        #expect(harness.run { calls.count == 2 })
        for call in calls { call.reply { try $0.append("true") } }
        #expect(harness.run { answers.count == 2 })
        #expect(answers == [[.string("true")], [.string("true")]])
        #expect(forged == 0)
    }

    /// Sends a method return for each number that the next calls may have.
    private static let guesser = """
        import sys
        from gi.repository import Gio, GLib
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        for serial in range(1, 400):
            reply = Gio.DBusMessage.new()
            reply.set_message_type(Gio.DBusMessageType.METHOD_RETURN)
            reply.set_destination(sys.argv[1])
            reply.set_reply_serial(serial)
            reply.set_body(GLib.Variant('(s)', ('forged',)))
            bus.send_message(reply, Gio.DBusSendMessageFlags.NONE)
        bus.flush_sync()
        """
}
