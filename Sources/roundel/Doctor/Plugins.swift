import SystemPackage

/// What `roundel doctor` says about the file managers' plugins.
struct Plugins: Sendable {
    let managers: [InstalledFileManager]
    let emblems: EmblemReport
    /// How the person names the command line.
    let command: String

    /// Looks at this machine.
    init(_ installation: Installation) {
        managers = SupportedFileManager.all.compactMap { InstalledFileManager($0, installation) }
        command = installation.command
        let helper = installation.prefix.appending("bin").appending(ServiceSetup.helper)
        emblems = EmblemReport(
            names: SupportedFileManager.withoutEmblems.filter { installation.found($0.0) != nil }.map(\.1),
            isInstalled: FileSystemFacts.isProgram(helper),
            isRunning: RunningProcess.all().contains { $0.program == helper }, command: command)
    }

    /// Whether a file manager that Roundel has a plugin for is installed.
    func isInstalled(_ program: String) -> Bool { managers.contains { $0.manager.program == program } }

    var findings: [Finding] {
        guard !managers.isEmpty || !emblems.names.isEmpty else {
            let text = "No file manager is installed that Roundel has a plugin for; badges show in the terminal."
            return [Finding("plugins", .advice, text)]
        }
        return managers.map(finding) + [emblems.finding].compactMap(\.self)
    }

    private func finding(_ found: InstalledFileManager) -> Finding {
        let name = found.manager.name
        switch found.standing {
        case .inPlace, .named: return Finding("plugins", .good, "\(name) finds Roundel's plugin.")
        case .missing:
            return Finding(
                "plugins", .problem, "\(name) does not find Roundel's plugin, so it shows no badges.",
                remedy: "\(command) setup")
        case .outdated:
            return Finding(
                "plugins", .problem, "\(name) loads another version of Roundel's plugin.", remedy: "\(command) setup")
        case .notBuilt:
            return Finding(
                "plugins", .problem, "\(name): this installation has no plugin for it.", remedy: PluginReport.build)
        case .placeUnknown:
            return Finding("plugins", .problem, "\(name): nothing says where it looks for plugins.")
        }
    }
}
