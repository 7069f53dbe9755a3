import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// What the service starts for the person does not inherit the service's own restrictions.
@Suite struct StartedProgramTests {
    @Test("xdg-open runs with the mask, signals, descriptors and variables of a session, in a session of its own")
    func cleanState() throws {
        let world = try World(starts: false)
        try world.installation.addService(StandInFileManager.name, program: "/bin/false")
        try world.installation.addProgram(
            "xdg-open",
            """
            #!/bin/sh
            {
                echo "mask $(umask)"
                echo "unit $INVOCATION_ID"
                grep -E '^Sig(Blk|Ign):' /proc/self/status
                echo "descriptors" $(ls /proc/$$/fd)
                echo "session $(ps -o sid= -p $$) $$"
            } > "$HOME/new" 2>&1
            mv "$HOME/new" "$HOME/state"
            """)
        let service = try startRestricted(world)
        defer { service.kill() }
        let folder = try world.makeFolder("Sync")
        let provider = try world.provider("test", [folder])
        defer { withExtendedLifetime(provider) {} }
        let panel = try StandInPanel(world)
        defer { withExtendedLifetime(panel) {} }
        try world.until("the tray's item is there") { panel.hasItem }
        _ = try world.call(
            try world.connect(), Names.service, "/StatusNotifierItem", "org.kde.StatusNotifierItem", "Activate",
            [.int32(0), .int32(0)])
        let place = world.installation.root + "/home/state"
        try world.until("the program has run") { Disk.exists(place) }
        var state: [String: [Substring]] = [:]
        for line in try Disk.text(place).split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            state[String(words[0])] = Array(words.dropFirst())
        }
        // This process started roundeld; its own mask is what the program should have.
        let own = try Disk.text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("Umask:") }
        let mask = own.flatMap { mode_t($0.dropFirst(6).filter(\.isNumber), radix: 8) }
        #expect(mask != nil && state["mask"]?.first.flatMap { mode_t($0, radix: 8) } == mask)
        #expect(state["unit"]?.isEmpty == true)
        #expect(state["SigBlk:"] == ["0000000000000000"])
        #expect(state["SigIgn:"] == ["0000000000000000"])
        #expect(state["descriptors"]?.contains("9") == false)
        #expect(state["session"]?.count == 2 && state["session"]?.first == state["session"]?.last)
    }

    /// Starts roundeld as a unit does: with a mask, a signal and a descriptor of its own.
    private func startRestricted(_ world: World) throws -> RunningProgram {
        let script = "umask 0077; trap '' USR1; exec 9</dev/null; exec \(BuiltPrograms.path("roundeld"))"
        let service = try RunningProgram(
            ["bash", "-c", script],
            environment: world.installation.environment.merging(["INVOCATION_ID": "0123"]) { $1 },
            errorFile: world.installation.root + "/roundeld.log")
        try world.until("roundeld has its name") { try world.process(of: Names.service) == service.identifier }
        return service
    }
}
