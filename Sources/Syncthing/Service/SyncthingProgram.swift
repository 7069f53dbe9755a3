internal import Launching
internal import Support

/// The engine for Syncthing as a program.
package enum SyncthingProgram {
    /// Runs until the process gets a signal to end, or loses the bus; returns the exit status.
    package static func run(arguments: [String]) -> Int32 {
        let program = EngineProgram(
            "roundel-syncthing", busName: SyncthingEngine.busName,
            help: tr(
                """
                Usage: roundel-syncthing [--version]

                Shows the folders of Syncthing in file managers. The session bus starts it once it is turned on:
                roundel providers enable syncthing
                """))
        return program.run(arguments: arguments) { try SyncthingEngine(on: $0) }
    }
}
