internal import Launching
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The engine for scripts as a program.
package enum MarksProgram {
    /// Runs until the process gets a signal to end, or loses the bus; returns the exit status.
    package static func run(arguments: [String]) -> Int32 {
        let program = EngineProgram(
            "roundel-marks", busName: MarksProxy.busName,
            help: tr(
                """
                Usage: roundel-marks [--version]

                Shows what scripts say of folders, on the session bus. Say it with: roundel mark, roundel run
                """))
        return program.run(arguments: arguments) {
            try MarksEngine(on: $0, file: (BaseDirectories().state ?? "/").appending("roundel").appending("marks"))
        }
    }
}
