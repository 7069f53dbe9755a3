internal import Launching
internal import Support
internal import SystemPackage

/// The engine for git as a program.
package enum GitProgram {
    /// Runs until the process gets a signal to end, or loses the bus; returns the exit status.
    package static func run(arguments: [String]) -> Int32 {
        let program = EngineProgram(
            "roundel-git", busName: GitNames.bus,
            help: tr(
                """
                Usage: roundel-git [--version]

                Shows the states of git in file managers, on the session bus. Turn it on with: roundel git add PATH
                """))
        return program.run(arguments: arguments) { try GitEngine(on: $0, places: places) }
    }

    private static var places: GitEngine.Places {
        let directories = BaseDirectories()
        let session = ProcessEnvironment.valid("XDG_RUNTIME_DIR").map { FilePath($0) } ?? directories.state ?? "/"
        return GitEngine.Places(
            folders: (directories.configuration ?? "/").appending("roundel").appending("git.folders"),
            versions: session.appending("roundel-git"), data: directories.data ?? "/")
    }
}
