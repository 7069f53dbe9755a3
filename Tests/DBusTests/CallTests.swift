import DBus
import TestSupport
import Testing

@Suite struct CallTests {
    private let harness: Harness
    private let service: Connection
    private let client: Connection

    init() throws {
        harness = try Harness()
        service = try harness.connect()
        client = try harness.connect()
    }

    private func export(_ methods: [Interface.Method]) throws {
        _ = try service.export(Interface("org.example.Service", methods: methods), at: "/service")
    }

    private func call(_ member: String, _ write: (inout MessageWriter) throws -> Void = { _ in }) throws -> Message {
        try harness.call(client, service.uniqueName, "/service", "org.example.Service", member, write)
    }

    private func refusal(_ body: () throws -> Message) -> DBusError? {
        do {
            _ = try body()
            return nil
        } catch { return error as? DBusError }
    }

    @Test func aCallCanBeAnsweredLater() throws {
        var kept: [MethodCall] = []
        try export([.init("Later", in: [("number", "u")], out: [("number", "u")]) { kept.append($0) }])
        var answers: [UInt32] = []
        for number in [UInt32(1), 2, 3] {
            client.call(service.uniqueName, "/service", nil, "Later", { try $0.append(number) }) { result in
                var reader = (try? result.get())?.reader
                if let answer = try? reader?.readUInt32() { answers.append(answer) }
            }
        }
        #expect(harness.run { kept.count == 3 })
        #expect(answers.isEmpty)
        for call in kept.reversed() {
            var reader = call.reader
            let number = try reader.readUInt32()
            call.reply { try $0.append(number * 10) }
        }
        #expect(harness.run { answers.count == 3 })
        #expect(answers == [30, 20, 10])
    }

    @Test func aCallThatIsDroppedIsAnsweredWithAnError() throws {
        try export([.init("Drop") { _ in }])
        #expect(refusal { try call("Drop") }?.standard == .noReply)
    }

    @Test func onlyTheFirstAnswerCounts() throws {
        try export([
            .init("Twice", out: [("text", "s")]) { call in
                call.reply { try $0.append("first") }
                call.reply { try $0.append("second") }
                call.fail(.failed("third"))
                #expect(call.isAnswered)
            }
        ])
        #expect(try call("Twice").arguments() == [.string("first")])
        #expect(try call("Twice").arguments() == [.string("first")])
    }

    @Test func whatAHandlerThrowsIsTheAnswer() throws {
        struct Odd: Error {}
        try export([
            .init("Refuse") { _ in throw DBusError(name: "org.example.Error.No", message: "Not today.") },
            .init("Odd") { _ in throw Odd() },
            .init("BadWriter") { call in call.reply { try $0.append("\0") } },
            .init("BadName") { call in call.fail(DBusError(name: "no name", message: "cut\0here")) },
        ])
        #expect(refusal { try call("Refuse") } == DBusError(name: "org.example.Error.No", message: "Not today."))
        #expect(refusal { try call("Odd") }?.standard == .failed)
        #expect(refusal { try call("BadWriter") }?.standard == .invalidArgs)
        #expect(refusal { try call("BadName") } == .failed("cut"))
    }

    @Test func argumentsOfOtherTypesAreRefusedBeforeTheHandlerRuns() throws {
        var runs = 0
        try export([
            .init("Take", in: [("name", "s"), ("options", "a{sv}")]) { call in
                runs += 1
                call.reply()
            }
        ])
        #expect(refusal { try call("Take") }?.standard == .invalidArgs)
        #expect(refusal { try call("Take") { try $0.append("only one") } }?.standard == .invalidArgs)
        #expect(runs == 0)
        _ = try call("Take") { writer in
            try writer.append("name")
            try writer.append(map: [:])
        }
        #expect(runs == 1)
    }

    @Test func unknownObjectsInterfacesMethodsAndPropertiesHaveTheirErrors() throws {
        try export([.init("Known") { $0.reply() }])
        let name = service.uniqueName
        func error(_ path: ObjectPath, _ interface: String?, _ member: String, _ arguments: [String] = [])
            -> StandardError?
        {
            refusal {
                try harness.call(client, name, path, interface, member) { writer in
                    for argument in arguments { try writer.append(argument) }
                }
            }?.standard
        }
        let properties = "org.freedesktop.DBus.Properties"
        #expect(error("/nothing", "org.example.Service", "Known") == .unknownObject)
        #expect(error("/service", "org.example.Other", "Known") == .unknownInterface)
        #expect(error("/service", "org.example.Service", "Unknown") == .unknownMethod)
        #expect(error("/service", nil, "Unknown") == .unknownMethod)
        #expect(error("/service", nil, "Known") == nil)
        #expect(error("/service", properties, "Get", ["org.example.Service", "P"]) == .unknownProperty)
        #expect(error("/service", properties, "Get", ["org.example.Other", "P"]) == .unknownInterface)
        #expect(error("/service", properties, "GetAll", ["org.example.Other"]) == .unknownInterface)
        #expect(error("/anywhere", "org.freedesktop.DBus.Peer", "Ping") == nil)
    }

    @Test func aDeadlineEndsACallThatNobodyAnswers() throws {
        var kept: [MethodCall] = []
        try export([.init("Never") { kept.append($0) }])
        var result: Result<Message, DBusError>?
        client.call(service.uniqueName, "/service", nil, "Never", timeout: .milliseconds(20)) { result = $0 }
        #expect(harness.run { result != nil })
        guard case .failure(let error) = result else {
            Issue.record("a reply to a call that was not answered")
            return
        }
        #expect(error.standard == .noReply)
        // The reply that comes too late harms nothing.
        for call in kept { call.reply() }
        _ = try harness.call(client, service.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
    }

    @Test func aCancelledCallIsNotHeardOfAgain() throws {
        try export([.init("Answer") { $0.reply() }])
        var heard = false
        let pending = client.call(service.uniqueName, "/service", nil, "Answer") { _ in heard = true }
        pending.cancel()
        _ = try call("Answer")
        #expect(!heard)
        let malformed = client.call("not a name", "/service", nil, "Answer") { _ in heard = true }
        malformed.cancel()
        harness.loop.runOnce(timeout: .zero)
        #expect(!heard)
    }

    @Test func aReceiverThatLeavesIsAnError() throws {
        var kept: [MethodCall] = []
        try export([.init("Never") { kept.append($0) }])
        var result: Result<Message, DBusError>?
        client.call(service.uniqueName, "/service", nil, "Never") { result = $0 }
        #expect(harness.run { kept.count == 1 })
        service.close()
        #expect(harness.run { result != nil })
        #expect(throws: DBusError.self) { try result?.get() }
        #expect(refusal { try call("Never") }?.standard == .serviceUnknown)
    }

    @Test func theEndOfTheBusFailsCallsAndIsTold() throws {
        var disconnections = 0
        var result: Result<Message, DBusError>?
        client.onDisconnect = { disconnections += 1 }
        var kept: [MethodCall] = []
        try export([.init("Never") { kept.append($0) }])
        client.call(service.uniqueName, "/service", nil, "Never") { result = $0 }
        #expect(harness.run { kept.count == 1 })
        harness.bus.daemon.kill()
        #expect(harness.run { disconnections > 0 && !service.isConnected })
        guard case .failure(.disconnected) = result else {
            Issue.record("\(String(describing: result)) instead of Disconnected")
            return
        }
        #expect(disconnections == 1)
        #expect(!client.isConnected)
        #expect(throws: DBusError.disconnected) { try client.emit("/x", "org.example.X", "X") }
        // An answer without a connection goes nowhere, quietly.
        for call in kept { call.reply() }
    }

    @Test func callsThatFailTogetherFailInTheOrderInWhichTheyWereSent() throws {
        var kept: [MethodCall] = []
        try export([.init("Never") { kept.append($0) }])
        var failed: [Int] = []
        for number in 0..<20 {
            client.call(service.uniqueName, "/service", nil, "Never") { _ in failed.append(number) }
        }
        #expect(harness.run { kept.count == 20 })
        harness.bus.daemon.kill()
        #expect(harness.run { failed.count == 20 })
        #expect(failed == Array(0..<20))
        for call in kept { call.reply() }
    }

    @Test func aCallWithoutReplyArrives() throws {
        var received: [String] = []
        let client = client
        try export([
            .init("Tell", in: [("text", "s")]) { call in
                var reader = call.reader
                received.append(try reader.readString())
                #expect(call.sender == client.uniqueName)
                #expect(call.message.expectsNoReply)
            }
        ])
        try client.callNoReply(service.uniqueName, "/service", nil, "Tell") { try $0.append("one way") }
        #expect(harness.run { received == ["one way"] })
    }

    @Test func whatTheBusDoesNotTakeAtOnceIsSentLater() throws {
        var sizes: [Int] = []
        try export([
            .init("Take", in: [("data", "ay")]) { call in
                var reader = call.reader
                sizes.append(try reader.readBytes().count)
                call.reply()
            }
        ])
        let data = [UInt8](repeating: 7, count: 5 << 20)
        for _ in 0..<4 {
            client.call(service.uniqueName, "/service", nil, "Take", { try $0.append(bytes: data) }) { _ in }
        }
        #expect(client.outgoingBytes > 10 << 20)
        #expect(harness.run { sizes.count == 4 })
        #expect(sizes.allSatisfy { $0 == data.count })
        #expect(harness.run { client.outgoingBytes == 0 })
    }

    @Test func manyMessagesInOneTurnDoNotKeepATimerWaiting() throws {
        try export([.init("Tick") { $0.reply() }])
        var replies = 0
        var finished = 0
        var atTimer: Int?
        let timer = harness.loop.makeTimer { atTimer = replies }
        func again() {
            client.call(service.uniqueName, "/service", nil, "Tick") { _ in
                replies += 1
                if atTimer == nil { again() } else { finished += 1 }
            }
        }
        for _ in 0..<1000 { again() }
        timer.set(after: .milliseconds(1))
        #expect(harness.run { finished == 1000 })
    }

    @Test func aPingIsAnsweredAfterWhatWasSentBefore() throws {
        var order: [String] = []
        try export([.init("Tell") { _ in order.append("tell") }])
        try client.callNoReply(service.uniqueName, "/service", nil, "Tell")
        client.ping(service.uniqueName) { _ in order.append("ping") }
        #expect(harness.run { order.count == 2 })
        #expect(order == ["tell", "ping"])
    }
}
