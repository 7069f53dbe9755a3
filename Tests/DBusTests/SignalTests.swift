import DBus
import TestSupport
import Testing

@Suite struct SignalTests {
    private let harness: Harness
    private let sender: Connection
    private let receiver: Connection

    init() throws {
        harness = try Harness()
        sender = try harness.connect()
        receiver = try harness.connect()
    }

    /// Has everything arrived that was sent before?
    private func settle() throws {
        for connection in [receiver, sender] {
            _ = try harness.call(sender, connection.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
        }
    }

    @Test func aUnicastSignalReachesItsReceiverOnly() throws {
        let other = try harness.connect()
        let rule = MatchRule(interface: "org.example.S", member: "Only")
        var received: [String] = []
        _ = try receiver.subscribe(rule) { _ in received.append("receiver") }
        _ = try other.subscribe(rule) { _ in received.append("other") }
        _ = try harness.call(other, other.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
        try settle()
        try sender.emit("/s", "org.example.S", "Only", to: receiver.uniqueName) { try $0.append("x") }
        _ = try harness.call(sender, other.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
        try settle()
        #expect(received == ["receiver"])
        try sender.emit("/s", "org.example.S", "Only")
        #expect(harness.run { received.count == 3 })
    }

    @Test func rulesSelectByEveryCondition() throws {
        var hits: [String] = []
        func subscribe(_ label: String, _ rule: MatchRule) throws {
            _ = try receiver.subscribe(rule) { _ in hits.append(label) }
        }
        try subscribe("path", MatchRule(path: "/a/b", interface: "org.example.S"))
        try subscribe("below", MatchRule(pathNamespace: "/a", interface: "org.example.S"))
        try subscribe("wrong path", MatchRule(path: "/a", interface: "org.example.S"))
        try subscribe("not below", MatchRule(pathNamespace: "/a/bc", interface: "org.example.S"))
        try subscribe("sender", MatchRule(sender: sender.uniqueName, interface: "org.example.S"))
        try subscribe("wrong sender", MatchRule(sender: receiver.uniqueName, interface: "org.example.S"))
        try subscribe("arg", MatchRule(interface: "org.example.S", arguments: [0: "it's, a \\ test", 2: "third"]))
        try subscribe("wrong arg", MatchRule(interface: "org.example.S", arguments: [0: "other"]))
        try subscribe("no such arg", MatchRule(interface: "org.example.S", arguments: [1: "5"]))
        try subscribe("wrong member", MatchRule(interface: "org.example.S", member: "Other"))
        try settle()
        try sender.emit("/a/b", "org.example.S", "It") { writer in
            try writer.append("it's, a \\ test")
            try writer.append(UInt32(5))
            try writer.append("third")
        }
        try settle()
        #expect(hits == ["path", "below", "sender", "arg"])
        hits = []
        try subscribe("namespace", MatchRule(member: "Named", argument0Namespace: "org.example"))
        try subscribe("other namespace", MatchRule(member: "Named", argument0Namespace: "org.exam"))
        try settle()
        try sender.emit("/n", "org.example.N", "Named") { try $0.append("org.example.X") }
        try settle()
        #expect(hits == ["namespace"])
    }

    /// No other rule lets the signals through: the bus selects by these alone.
    @Test(arguments: ["it's", "'", "a'b'c", "\\'", "comma, 'and quote'"])
    func theBusUnderstandsAnyTextOfARule(text: String) throws {
        var received: [String] = []
        _ = try receiver.subscribe(MatchRule(interface: "org.example.S", arguments: [0: text])) { message in
            received.append((try? message.arguments().first?.string) ?? "nothing")
        }
        try settle()
        for sent in [text, "other"] { try sender.emit("/a", "org.example.S", "It") { try $0.append(sent) } }
        try settle()
        #expect(received == [text])
    }

    @Test func aCancelledSubscriptionIsSilent() throws {
        var count = 0
        let registration = try receiver.subscribe(MatchRule(interface: "org.example.S")) { _ in count += 1 }
        try settle()
        try sender.emit("/s", "org.example.S", "A")
        #expect(harness.run { count == 1 })
        registration.cancel()
        try settle()
        try sender.emit("/s", "org.example.S", "A")
        try settle()
        #expect(count == 1)
    }

    @Test func aSubscriptionToAWellKnownNameFollowsItsOwner() throws {
        var (count, fromAnyone) = (0, 0)
        _ = try receiver.subscribe(MatchRule(sender: "org.example.Owner", interface: "org.example.S")) { _ in count += 1
        }
        // By this rule the bus lets through what the other one is not to see.
        _ = try receiver.subscribe(MatchRule(interface: "org.example.S")) { _ in fromAnyone += 1 }
        try settle()
        try sender.emit("/s", "org.example.S", "BeforeOwning")
        try settle()
        #expect(count == 0 && fromAnyone == 1)
        var isOwner = false
        sender.requestName("org.example.Owner") { _ in isOwner = true }
        #expect(harness.run { isOwner })
        try settle()
        try sender.emit("/s", "org.example.S", "AfterOwning")
        try settle()
        #expect(count == 1 && fromAnyone == 2)
    }

    @Test func changedPropertiesAreToldWithTheirValues() throws {
        var folders = ["one"]
        _ = try sender.export(
            Interface(
                "org.example.P",
                properties: [
                    .init("Version", "u", .const) { try $0.append(UInt32(1)) },
                    .init("Folders", "as") { try $0.append(strings: folders) },
                    .init("Large", "ay", .invalidates) { try $0.append(bytes: [1, 2]) },
                    .init("Wrong", "u", .none) { try $0.append("not a number") },
                ]), at: "/p")
        let properties = "org.freedesktop.DBus.Properties"
        func get(_ name: String) throws -> [DBusValue] {
            try harness.call(receiver, sender.uniqueName, "/p", properties, "Get") { writer in
                try writer.append("org.example.P")
                try writer.append(name)
            }.arguments()
        }
        #expect(try get("Version") == [.variant(.uint32(1))])
        #expect(try get("Folders") == [.variant(.strings(["one"]))])
        #expect(throws: DBusError.self) { try get("Wrong") }

        var changes: [[DBusValue]] = []
        _ = try receiver.subscribe(MatchRule(path: "/p", interface: properties, member: "PropertiesChanged")) {
            message in
            if let arguments = try? message.arguments() { changes.append(arguments) }
        }
        try settle()
        folders = ["one", "two"]
        try sender.emitPropertiesChanged(["Folders", "Large"], of: "org.example.P", at: "/p")
        #expect(harness.run { changes.count == 1 })
        #expect(
            changes.first == [.string("org.example.P"), .map(["Folders": .strings(folders)]), .strings(["Large"])])
        #expect(throws: DBusError.self) { try sender.emitPropertiesChanged(["No"], of: "org.example.P", at: "/p") }
    }

    @Test func propertiesCannotBeSet() throws {
        _ = try sender.export(
            Interface("org.example.P", properties: [.init("Version", "u") { try $0.append(UInt32(1)) }]), at: "/p")
        var failure: DBusError?
        do {
            _ = try harness.call(receiver, sender.uniqueName, "/p", "org.freedesktop.DBus.Properties", "Set") {
                writer in
                try writer.append("org.example.P")
                try writer.append("Version")
                try writer.append(value: .variant(.uint32(2)))
            }
        } catch { failure = error as? DBusError }
        #expect(failure?.standard == .propertyReadOnly)
    }

    @Test func propertiesThatAreTooLargeForOneSignalAreAnnouncedOneByOne() throws {
        let properties = "org.freedesktop.DBus.Properties"
        let half = [UInt8](repeating: 7, count: 33 << 20)
        let export = try sender.export(
            Interface(
                "org.example.P",
                properties: [
                    .init("One", "ay") { try $0.append(bytes: half) },
                    .init("Two", "ay") { try $0.append(bytes: half) }, .init("Small", "u") { try $0.append(UInt32(3)) },
                ]), at: "/p")
        var changed: [[String]] = []
        _ = try receiver.subscribe(MatchRule(path: "/p", interface: properties, member: "PropertiesChanged")) {
            message in
            var reader = message.reader
            guard (try? reader.readString()) == "org.example.P" else { return }
            var names: [String] = []
            try? reader.readDictionary { entry in names.append(try entry.readString()) }
            changed.append(names)
        }
        try settle()
        try sender.emitPropertiesChanged(["One", "Small"], of: "org.example.P", at: "/p")
        #expect(harness.run { changed == [["One", "Small"]] })
        changed = []
        try sender.emitPropertiesChanged(["One", "Small", "Two"], of: "org.example.P", at: "/p")
        #expect(harness.run { changed == [["One"], ["Small"], ["Two"]] })
        export.cancel()
    }
}
