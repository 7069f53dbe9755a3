import Glibc
import SystemPackage

/// The installation that this program belongs to, and what of the machine around it matters for finding plugins.
struct Installation: Sendable {
    /// The directory that Roundel is installed below.
    let prefix: FilePath
    /// Where root keeps what `roundel setup` needs of its own: copies of plugins that others than root can change, and
    /// the record of what was made.
    let systemFolder: FilePath
    /// The directories of libraries on this machine.
    let libraries: [FilePath]
    /// The value of an environment variable.
    let environment: @Sendable (String) -> String?

    /// The one that runs.
    /// - Throws: ``CommandFailure`` where /proc does not say which program this is.
    static func ofThisProgram() throws -> Installation {
        guard let program = FileSystemFacts.resolved("/proc/self/exe") else {
            throw CommandFailure(Text.installationUnknown)
        }
        let prefix = program.removingLastComponent().removingLastComponent()
        let owner = FileSystemFacts.status(program)?.st_uid ?? 0
        let roots: [FilePath] = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        return Installation(
            prefix: prefix, systemFolder: FilePath("/usr/local/lib/roundel").appending("user-\(owner)"),
            libraries: roots.flatMap(withTriplets), environment: Environment.value)
    }

    /// The program of this name of this installation; nil where it has none.
    func program(_ name: String) -> FilePath? {
        let path = prefix.appending("bin").appending(name)
        return FileSystemFacts.isProgram(path) ? path : nil
    }

    /// How a person names this program in a shell: by its name where PATH leads to it.
    var command: String {
        let own = prefix.appending("bin").appending("roundel")
        return found("roundel").flatMap(FileSystemFacts.resolved) == own ? "roundel" : ShellWord.quoted(own.string)
    }

    /// The program of this name in PATH.
    func found(_ program: String) -> FilePath? {
        let path = environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").lazy.map { FilePath(String($0)).appending(program) }
            .first(where: FileSystemFacts.isProgram)
    }

    /// The library of that file manager that was built and installed with this program, at one of these places below a
    /// directory of libraries.
    func built(_ file: String, in folders: [String]) -> FilePath? {
        Installation.withTriplets(prefix.appending("lib")).lazy.flatMap { library in
            folders.map { library.appending(FilePath($0).components).appending(file) }
        }.first(where: FileSystemFacts.exists)
    }

    /// A directory of libraries and those below it that Debian keeps for each architecture.
    private static func withTriplets(_ library: FilePath) -> [FilePath] {
        let triplets = ["x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu", "arm-linux-gnueabihf"]
        return [library] + triplets.map { library.appending($0) }
    }
}
