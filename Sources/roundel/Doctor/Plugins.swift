import Glibc
import SystemPackage

/// The file managers that Roundel has an extension for, and where each looks for it.
struct Plugins: Sendable {
    struct FileManager: Sendable {
        let name: String
        /// The program that shows that it is installed.
        let program: String
        /// The directories below a library directory that it loads extensions from.
        let folders: [String]
        /// What Roundel's extension is called there.
        let library: String
        /// The variable with further directories of extensions, where the file manager honours one.
        var variable: String?
    }

    static let supported: [FileManager] = [
        FileManager(
            name: "Files (Nautilus)", program: "nautilus",
            folders: ["nautilus/extensions-4", "nautilus/extensions-3.0"], library: "libroundel-nautilus.so"),
        FileManager(
            name: "Nemo", program: "nemo", folders: ["nemo/extensions-3.0"], library: "libroundel-nemo.so"),
        FileManager(
            name: "Caja", program: "caja", folders: ["caja/extensions-2.0"], library: "libroundel-caja.so",
            variable: "CAJA_EXTENSION_DIRS"),
    ]

    /// Whether a file exists.
    let exists: @Sendable (FilePath) -> Bool
    /// The value of an environment variable.
    let environment: @Sendable (String) -> String?
    /// The directories of libraries where file managers look.
    let libraries: [FilePath]
    /// The directory that Roundel is installed below; nil if it cannot be known.
    let prefix: FilePath?

    /// Looks at this machine.
    static func ofThisMachine() -> Plugins {
        let roots: [FilePath] = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        return Plugins(
            exists: { path in path.withPlatformString { access($0, F_OK) } == 0 }, environment: Environment.value,
            libraries: roots.flatMap(withTriplets), prefix: installationPrefix())
    }

    var findings: [Finding] {
        let path = environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        let programs = path.split(separator: ":").map { FilePath(String($0)) }
        let installed = Plugins.supported.filter { manager in
            programs.contains { exists($0.appending(manager.program)) }
        }
        guard !installed.isEmpty else {
            let text = "None of Nautilus, Nemo and Caja is installed; badges show in the terminal."
            return [Finding("plugins", .advice, text)]
        }
        return installed.map(finding)
    }

    private func finding(_ manager: FileManager) -> Finding {
        let folders = manager.folders.flatMap { folder in libraries.map { $0.appending(folder) } }
        let further = manager.variable.flatMap(environment)?.split(separator: ":").map { FilePath(String($0)) } ?? []
        if (folders + further).contains(where: { exists($0.appending(manager.library)) }) {
            return Finding("plugins", .good, "\(manager.name) has the extension.")
        }
        let place = folders.first(where: exists) ?? FilePath("/usr/lib").appending(manager.folders.first ?? "")
        let ours = prefix.map { Plugins.withTriplets($0.appending("lib")) } ?? []
        let built = ours.lazy.flatMap { library in
            manager.folders.map { library.appending($0).appending(manager.library) }
        }.first(where: exists)
        let remedy =
            built.map {
                "sudo ln -s \(ShellWord.quoted($0.string)) \(place.string)/ and start \(manager.program) again"
            }
            ?? "Install it with `make install PREFIX=/usr` from Roundel's sources, then start \(manager.program) again."
        return Finding(
            "plugins", .problem, "\(manager.name) is installed and loads no Roundel extension.", remedy: remedy)
    }

    /// A directory of libraries and those below it that Debian keeps for each architecture.
    private static func withTriplets(_ library: FilePath) -> [FilePath] {
        let triplets = ["x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu", "arm-linux-gnueabihf"]
        return [library] + triplets.map { library.appending($0) }
    }

    private static func installationPrefix() -> FilePath? {
        guard let program = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(program) }
        return FilePath(platformString: program).removingLastComponent().removingLastComponent()
    }
}
