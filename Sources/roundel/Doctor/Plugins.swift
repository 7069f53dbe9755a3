import SystemPackage

/// What `roundel doctor` says about the file managers' plugins.
struct Plugins: Sendable {
    let managers: [InstalledFileManager]
    let emblems: EmblemReport
    /// The command with which the user runs `roundel`.
    let command: String

    /// Examines this machine.
    init(_ installation: Installation) {
        managers = SupportedFileManager.all.compactMap { InstalledFileManager($0, installation) }
        command = installation.command
        let helper = installation.prefix.appending("bin").appending(ServiceSetup.helper)
        emblems = EmblemReport(
            names: SupportedFileManager.withoutEmblems.filter { installation.found($0.0) != nil }.map(\.1),
            isInstalled: FileSystemFacts.isProgram(helper),
            isRunning: RunningProcess.all().contains { $0.program == helper }, command: command)
    }

    /// Whether a file manager is installed for which Roundel has a plugin.
    func isInstalled(_ program: String) -> Bool { managers.contains { $0.manager.program == program } }

    var findings: [Finding] {
        guard !managers.isEmpty || !emblems.names.isEmpty else {
            let text = Text.noFileManager
            return [Finding("plugins", .advice, text)]
        }
        return managers.map(finding) + [emblems.finding].compactMap(\.self)
    }

    private func finding(_ found: InstalledFileManager) -> Finding {
        let name = found.manager.name
        switch found.standing {
        case .inPlace, .named: return Finding("plugins", .good, Text.pluginLoads(name))
        case .missing:
            return Finding(
                "plugins", .problem, Text.pluginMissing(name),
                remedy: "\(command) setup")
        case .outdated:
            return Finding(
                "plugins", .problem, Text.pluginOutdated(name), remedy: "\(command) setup")
        case .notBuilt:
            return Finding(
                "plugins", .problem, Text.pluginNotBuilt(name), remedy: Text.buildPlugins)
        case .placeUnknown:
            return Finding("plugins", .problem, Text.pluginPlaceUnknown(name))
        }
    }
}
