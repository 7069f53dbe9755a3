import DBus
import RoundelBus
import TestSupport
import Testing

/// What leads from the worker into Roundel's window, and what is done where there is none.
@Suite("E11: menus and settings lead into the window where it is installed")
struct WindowLeadTests {
    /// Has the name of the window, and notes what it is asked to show.
    private final class StandInWindow {
        private(set) var asked: [String] = []
        private let bus: Connection

        init(_ world: World) throws {
            bus = try world.connect()
            let platform: [Interface.Argument] = [("platform_data", "a{sv}")]
            let methods: [Interface.Method] = [
                .init("Activate", in: platform) { [unowned self] call in
                    asked.append("")
                    call.reply()
                },
                .init("ActivateAction", in: [("name", "s"), ("parameter", "av")] + platform) { [unowned self] call in
                    let arguments = try call.message.arguments()
                    guard case .array(_, let values) = arguments[1], case .variant(let value)? = values.first else {
                        throw Failure("parameter: \(arguments)")
                    }
                    asked.append("\(arguments[0].string ?? "") \(value.string ?? "")")
                    call.reply()
                },
            ]
            _ = try bus.export(Interface("org.freedesktop.Application", methods: methods), at: Names.windowPath)
            _ = try world.call(
                bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                [.string(Names.window), .uint32(4)])
        }
    }

    private func settings(_ sync: SyncWorld) throws -> String? {
        do {
            _ = try sync.world.host().call("OpenSettings", [.string("roundel")], interface: Names.providers)
            return nil
        } catch let error as DBusError {
            return shortName(error)
        }
    }

    @Test("“History…” and the settings of the worker are shown in the window")
    func withWindow() throws {
        let world = try World(starts: false)
        try world.installation.addBundledManifest()
        let sync = try SyncWorld(files: ["a b.txt": "a"], in: world)
        let window = try StandInWindow(sync.world)
        let done = try sync.world.installation.start("roundel", ["do", "roundel/history", sync.path("a b.txt")])
        try sync.world.until("the window is asked") { !window.asked.isEmpty }
        #expect(window.asked == ["history \(uri(sync.local))/a%20b.txt"])
        try sync.world.until("the command ends") { !done.isRunning }
        #expect(try settings(sync) == nil)
        #expect(window.asked.last == "" && window.asked.count == 2)
        let opened = try sync.world.installation.start("roundel", ["open"])
        try sync.world.until("the window is opened") { window.asked.count == 3 && !opened.isRunning }
    }

    @Test("Without a window, menus answer in words, and the settings say what is missing")
    func withoutWindow() throws {
        let world = try World(starts: false)
        try world.installation.addBundledManifest()
        let sync = try SyncWorld(files: ["a.txt": "a"], in: world)
        let done = try sync.roundel("do", "roundel/history", sync.path("a.txt"))
        #expect(done.status == 0 && done.output.contains("“a.txt”"))
        #expect(try settings(sync) == "ProviderFailed")
    }
}
