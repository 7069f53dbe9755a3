import Glibc
import SystemPackage

/// The file managers that Roundel has plugins for, and where each looks for them.
struct Plugins: Sendable {
    /// One library that a file manager has to load.
    struct Part: Sendable {
        /// The directories, below a directory of libraries, that it may be in.
        let folders: [String]
        let library: String
        /// Of the directories that the file manager's variable names, the one below that it is looked for in.
        var below: String?
    }

    struct FileManager: Sendable {
        let name: String
        /// The program that shows that it is installed.
        let program: String
        let parts: [Part]
        /// The variable with further directories, where the file manager honours one.
        var variable: String?
    }

    static let supported: [FileManager] = [
        FileManager(
            name: "Files (Nautilus)", program: "nautilus",
            parts: [
                Part(folders: ["nautilus/extensions-4", "nautilus/extensions-3.0"], library: "libroundel-nautilus.so")
            ]),
        FileManager(
            name: "Nemo", program: "nemo",
            parts: [Part(folders: ["nemo/extensions-3.0"], library: "libroundel-nemo.so")]),
        FileManager(
            name: "Caja", program: "caja",
            parts: [Part(folders: ["caja/extensions-2.0"], library: "libroundel-caja.so")],
            variable: "CAJA_EXTENSION_DIRS"),
        FileManager(
            name: "Dolphin", program: "dolphin",
            parts: [dolphin("overlayicon", "roundeloverlay.so"), dolphin("kfileitemaction", "roundelitemaction.so")],
            variable: "QT_PLUGIN_PATH"),
        FileManager(
            name: "Thunar", program: "thunar",
            parts: [Part(folders: ["thunarx-3"], library: "libroundel-thunar.so")]),
    ]

    /// Dolphin of either generation looks in the plugin directory of its own Qt.
    private static func dolphin(_ kind: String, _ library: String) -> Part {
        Part(
            folders: [
                "qt6/plugins/kf6/\(kind)", "qt5/plugins/kf5/\(kind)", "plugins/kf6/\(kind)", "plugins/kf5/\(kind)",
            ],
            library: library, below: kind)
    }

    /// The file managers that tell nobody what they show, and the program that writes their emblems.
    static let helped = [("Thunar", "thunar"), ("PCManFM-Qt", "pcmanfm-qt")]
    static let helper = "roundel-metadata"

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
        let installed = Plugins.supported.filter { isInstalled($0.program) }
        let helped = Plugins.helped.filter { isInstalled($0.1) }
        guard !installed.isEmpty || !helped.isEmpty else {
            let text = "No file manager is installed that Roundel has a plugin for; badges show in the terminal."
            return [Finding("plugins", .advice, text)]
        }
        return installed.map(finding) + (helped.isEmpty ? [] : [helperFinding(helped.map(\.0))])
    }

    /// Whether a program is in PATH.
    func isInstalled(_ program: String) -> Bool {
        let path = environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").contains { exists(FilePath(String($0)).appending(program)) }
    }

    private func finding(_ manager: FileManager) -> Finding {
        let missing = manager.parts.filter { !isThere($0, manager) }
        guard !missing.isEmpty else {
            return Finding("plugins", .good, "\(manager.name) has the plugin.")
        }
        let links = missing.compactMap { part in
            built(part).map {
                "sudo ln -s \(ShellWord.quoted($0.string)) \(ShellWord.quoted(place(for: part).string))/"
            }
        }
        let remedy =
            links.count == missing.count
            ? "\(links.joined(separator: " && ")) and start \(manager.program) again"
            : "Install it with `make install PREFIX=/usr` from Roundel's sources, then start \(manager.program) again."
        let names = missing.map(\.library).joined(separator: " and ")
        return Finding(
            "plugins", .problem, "\(manager.name) is installed and finds no \(names); it shows no badges or menus.",
            remedy: remedy)
    }

    private func isThere(_ part: Part, _ manager: FileManager) -> Bool {
        let further = (manager.variable.flatMap(environment)?.split(separator: ":") ?? []).flatMap { text in
            let folder = FilePath(String(text))
            guard let below = part.below else { return [folder] }
            return ["kf6", "kf5"].map { folder.appending($0).appending(below) }
        }
        return (places(for: part) + further).contains { exists($0.appending(part.library)) }
    }

    private func places(for part: Part) -> [FilePath] {
        part.folders.flatMap { folder in libraries.map { $0.appending(FilePath(folder).components) } }
    }

    /// Where a library that is missing belongs: the first place that is there.
    private func place(for part: Part) -> FilePath {
        let parents = places(for: part).filter { exists($0) || exists($0.removingLastComponent()) }
        return parents.first ?? FilePath("/usr/lib").appending(FilePath(part.folders.first ?? "").components)
    }

    /// A library of ours that was installed where file managers do not look.
    private func built(_ part: Part) -> FilePath? {
        let ours = prefix.map { Plugins.withTriplets($0.appending("lib")) } ?? []
        return ours.lazy.flatMap { library in
            part.folders.map { library.appending(FilePath($0).components).appending(part.library) }
        }.first(where: exists)
    }

    private func helperFinding(_ names: [String]) -> Finding {
        let list = names.joined(separator: " and ")
        let own = prefix.map { $0.appending("bin").appending(Plugins.helper) }
        guard isInstalled(Plugins.helper) || own.map(exists) ?? false else {
            return Finding(
                "plugins", .advice,
                "\(list) can show emblems only with the helper \(Plugins.helper), which is not there.",
                remedy: "Install it with `make install PREFIX=/usr` from Roundel's sources.")
        }
        return Finding(
            "plugins", .good,
            "\(list) can show emblems with the helper \(Plugins.helper), which is there to be enabled.",
            remedy: "systemctl --user enable --now \(Plugins.helper)")
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
