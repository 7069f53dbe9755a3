import DBus
import Glibc
import Launching
import Support
import TestSupport
import Testing

/// Programs go to the user's manager; where there is none they are started here.
@Suite struct ProgramLauncherTests {
    /// A user's manager that starts nothing and notes what it is to start.
    private final class StandInManager {
        struct Unit {
            let name: String
            let properties: [String: DBusValue]
        }

        private(set) var units: [Unit] = []
        /// A property that it does not know.
        var unknown: String?

        init(_ harness: Harness) throws {
            let bus = try harness.connect()
            let start = Interface.Method(
                "StartTransientUnit",
                in: [("name", "s"), ("mode", "s"), ("properties", "a(sv)"), ("aux", "a(sa(sv))")], out: [("job", "o")]
            ) { [unowned self] call in
                var reader = call.reader
                let name = try reader.readString()
                reader.skip()
                var properties: [String: DBusValue] = [:]
                try reader.forEachElement { reader in
                    try reader.readStruct { reader in
                        let key = try reader.readString()
                        properties[key] = try reader.readVariant { try $0.readValue() }
                    }
                }
                if let unknown, properties[unknown] != nil {
                    throw DBusError(.propertyReadOnly, "Cannot set property \(unknown), or unknown property.")
                }
                units.append(Unit(name: name, properties: properties))
                call.reply { try $0.append("/job/1" as ObjectPath) }
            }
            _ = try bus.export(
                Interface("org.freedesktop.systemd1.Manager", methods: [start]), at: "/org/freedesktop/systemd1")
            var isOwner = false
            bus.requestName("org.freedesktop.systemd1") { _ in isOwner = true }
            #expect(harness.run { isOwner })
        }
    }

    private let harness: Harness
    private let launcher: ProgramLauncher

    init() throws {
        harness = try Harness()
        launcher = ProgramLauncher(bus: try harness.connect())
    }

    private func outcome(_ words: [String], startup: String = "") -> ProgramLauncher.Outcome? {
        var outcome: ProgramLauncher.Outcome?
        launcher.start(words, startup: startup) { outcome = $0 }
        #expect(harness.run { outcome != nil })
        return outcome
    }

    @Test("The user's manager gets the program as an application of its own", arguments: [false, true])
    func handedOver(isOlder: Bool) throws {
        let manager = try StandInManager(harness)
        if isOlder { manager.unknown = "ExitType" }
        #expect(outcome(["true", "file:///a b", "-x"], startup: "token") == .handedOver)
        let unit = try #require(manager.units.first)
        #expect(manager.units.count == 1)
        #expect(unit.name.hasPrefix("app-") && unit.name.hasSuffix(".service"))
        #expect(unit.properties["Slice"] == .string("app.slice"))
        #expect(unit.properties[isOlder ? "KillMode" : "ExitType"] == .string(isOlder ? "process" : "cgroup"))
        let members = unit.properties["ExecStart"]?.elements?.first?.members
        let words = try #require(members?[1].strings)
        #expect(words.dropFirst() == ["file:///a b", "-x"] && words[0].hasSuffix("/bin/true"))
        #expect(members?[0].string == words[0])
        #expect(
            unit.properties["Environment"]?.strings == ["XDG_ACTIVATION_TOKEN=token", "DESKTOP_STARTUP_ID=token"])
    }

    @Test("Without a manager the program is started here, and its end is told")
    func startedHere() {
        #expect(outcome(["true"]) == .ended(0))
        #expect(outcome(["sh", "-c", "exit 7"]) == .ended(7))
        #expect(outcome(["sh", "-c", "kill -9 $$"]) == .ended(128 + SIGKILL))
        #expect(
            outcome(["sh", "-c", "test \"$XDG_ACTIVATION_TOKEN$DESKTOP_STARTUP_ID\" = tt"], startup: "t") == .ended(0))
    }

    @Test("A program that is not installed is named")
    func notInstalled() {
        #expect(outcome(["no-such-program"]) == .failed("no-such-program is not installed."))
        #expect(outcome(["/no/such/program"]) == .failed("/no/such/program is not installed."))
    }
}
