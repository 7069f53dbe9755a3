internal import Glibc
internal import Support
internal import SystemPackage

/// The installation of this program, and facts about the machine that matter for finding plugins.
package struct Installation: Sendable {
    /// The directory below which Roundel is installed.
    let prefix: FilePath
    /// Where root stores what `roundel setup` needs: copies of plugins that other users could change, and a record of
    /// the changes.
    let systemFolder: FilePath
    /// The library directories of this machine.
    let libraries: [FilePath]
    /// The value of an environment variable.
    let environment: @Sendable (String) -> String?

    /// The installation of the running program.
    /// - Throws: ``SetupFailure/installationUnknown``.
    package static func ofThisProgram() throws(SetupFailure) -> Installation {
        guard let program = FileSystemFacts.resolved("/proc/self/exe") else {
            throw .installationUnknown
        }
        let prefix = program.removingLastComponent().removingLastComponent()
        let owner = FileSystemFacts.status(program)?.st_uid ?? 0
        let roots: [FilePath] = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        return Installation(
            prefix: prefix, systemFolder: FilePath("/usr/local/lib/roundel").appending("user-\(owner)"),
            libraries: roots.flatMap(withTriplets), environment: ProcessEnvironment.valid)
    }

    /// The program with this name in this installation; nil if it has none.
    func program(_ name: String) -> FilePath? {
        let path = prefix.appending("bin").appending(name)
        return FileSystemFacts.isProgram(path) ? path : nil
    }

    /// With which word the user runs `roundel`: its name if it is found in PATH, otherwise its path.
    var command: String {
        let own = prefix.appending("bin").appending("roundel")
        return found("roundel").flatMap(FileSystemFacts.resolved) == own ? "roundel" : own.string
    }

    /// The program with this name in PATH.
    func found(_ program: String) -> FilePath? {
        let path = environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").lazy.map { FilePath(String($0)).appending(program) }
            .first(where: FileSystemFacts.isProgram)
    }

    /// The library for a file manager that was installed with this program, in one of these places below a library
    /// directory.
    func built(_ file: String, in folders: [String]) -> FilePath? {
        Installation.withTriplets(prefix.appending("lib")).lazy.flatMap { library in
            folders.map { library.appending(FilePath($0).components).appending(file) }
        }.first(where: FileSystemFacts.exists)
    }

    /// The command that installs the plugin for a file manager, which is a package of its own; nil where this installation
    /// consists of no packages. Whoever packages Roundel puts it into a file, with `%s` where the program's name goes.
    func pluginCommand(_ manager: SupportedFileManager) -> String? {
        let file = prefix.appending("share").appending("roundel").appending("plugin-command")
        guard
            let text = FileSystemFacts.withContents(of: file, { String(validating: $0, as: UTF8.self) }) ?? nil,
            var command = text.split(separator: "\n").first, let place = command.firstRange(of: "%s")
        else { return nil }
        command.replaceSubrange(place, with: manager.program)
        return String(command)
    }

    /// A library directory and those that Debian has below it for each architecture.
    private static func withTriplets(_ library: FilePath) -> [FilePath] {
        let triplets = ["x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu", "arm-linux-gnueabihf"]
        return [library] + triplets.map { library.appending($0) }
    }
}
