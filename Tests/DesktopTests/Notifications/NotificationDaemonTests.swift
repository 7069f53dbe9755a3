import DBus
import Support
import TestSupport
import Testing

@testable import Desktop

/// What is told to a notification daemon, and how its answers are taken, over a bus.
@Suite("D12: daemons that answer late, or not at all") final class NotificationDaemonTests {
    /// A daemon that answers when the test says so.
    private final class SlowDaemon {
        private static let name = "org.freedesktop.Notifications"
        private static let path: ObjectPath = "/org/freedesktop/Notifications"
        let bus: Connection
        private(set) var looked: [MethodCall] = []
        private(set) var shown: [MethodCall] = []

        init(_ harness: Harness) throws {
            bus = try harness.connect()
            let input: [Interface.Argument] = [
                ("n", "s"), ("r", "u"), ("i", "s"), ("t", "s"), ("b", "s"), ("a", "as"), ("h", "a{sv}"), ("e", "i"),
            ]
            let methods: [Interface.Method] = [
                .init("GetCapabilities", out: [("c", "as")]) { [unowned self] in looked.append($0) },
                .init("Notify", in: input, out: [("id", "u")]) { [unowned self] in shown.append($0) },
            ]
            _ = try bus.export(Interface(Self.name, methods: methods), at: Self.path)
            // One that comes later takes the name's place from it.
            _ = try harness.call(
                bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName"
            ) {
                try $0.append(Self.name)
                try $0.append(UInt32(3))
            }
        }

        func show(as number: UInt32) {
            for call in shown { call.reply { try $0.append(number) } }
            shown = []
        }
    }

    private let harness: Harness
    private let content = NotificationContent(Screen.notice("errors"))

    init() throws { harness = try Harness() }

    @Test("The number of a notification counts however late the daemon says it")
    func lateNumber() throws {
        let slow = try SlowDaemon(harness)
        let daemon = NotificationDaemon(bus: try harness.connect(), patience: .milliseconds(1))
        var answers: [NotificationDaemon.Answer] = []
        var presence: NotificationDaemon.Presence?
        daemon.show(content, replacing: 0) { answers.append($0) }
        // What is asked for afterwards is not waited for any longer.
        daemon.connect { presence = $0 }
        #expect(harness.run { presence != nil && !slow.shown.isEmpty })
        #expect(presence == .silent)
        slow.show(as: 7)
        #expect(harness.run { !answers.isEmpty })
        guard case .shown(7) = answers.first else {
            Issue.record("\(answers)")
            return
        }
    }

    @Test("A daemon that is not there and cannot be started is no silent one")
    func absent() throws {
        let daemon = NotificationDaemon(bus: try harness.connect())
        var presence: NotificationDaemon.Presence?
        daemon.connect { presence = $0 }
        #expect(harness.run { presence != nil })
        #expect(presence == .absent)
    }

    @Test("What a daemon says that another has taken the place of does not count")
    func replaced() throws {
        let first = try SlowDaemon(harness)
        let daemon = NotificationDaemon(bus: try harness.connect())
        var changes = 0
        try daemon.watch { event in if case .changed = event { changes += 1 } }
        var answers: [String] = []
        var presence: NotificationDaemon.Presence?
        daemon.connect { presence = $0 }
        #expect(harness.run { !first.looked.isEmpty })
        for call in first.looked { call.reply { try $0.append(strings: []) } }
        #expect(harness.run { presence == .present })
        daemon.show(content, replacing: 0) { answers.append("first: \($0)") }
        #expect(harness.run { !first.shown.isEmpty })
        let second = try SlowDaemon(harness)
        #expect(harness.run { changes == 1 })
        first.show(as: 7)
        daemon.show(content, replacing: 0) { answers.append("second: \($0)") }
        #expect(harness.run { !second.shown.isEmpty })
        second.show(as: 8)
        #expect(harness.run { !answers.isEmpty })
        #expect(answers == ["second: shown(8)"])
    }
}
