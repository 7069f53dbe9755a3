import RoundelBus
import TestSupport

/// What goes over a bus, as dbus-monitor prints it: each message's header and arguments in lines of their own.
final class BusMonitor {
    private let program: RunningProgram

    /// Follows the messages that fit a match rule from now on.
    init(_ world: World, _ rule: String) throws {
        program = try RunningProgram(
            ["dbus-monitor", "--address", world.installation.address, rule],
            environment: world.installation.environment)
        // It is told that it has lost its own name when it has become a monitor; before that it sees nothing.
        try program.lines { $0.contains("member=NameLost") }
    }

    deinit { program.kill() }

    /// The lines up to the first that fulfils the condition.
    func lines(until condition: (String) -> Bool) throws -> [String] { try program.lines(until: condition) }
}
