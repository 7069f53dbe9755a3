internal import SystemPackage

/// What is found out about the file managers' plugins.
struct Plugins: Sendable {
    private let managers: [InstalledFileManager]
    private let emblems: EmblemReport
    /// With which word the user runs `roundel`.
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
        guard !managers.isEmpty || !emblems.names.isEmpty else { return [Finding(.plugins, .advice, .noFileManager)] }
        return managers.map(finding) + [emblems.finding].compactMap(\.self)
    }

    private func finding(_ found: InstalledFileManager) -> Finding {
        let fact = Finding.Fact.standing(found.standing, of: found.manager)
        switch found.standing {
        case .inPlace, .named: return Finding(.plugins, .good, fact)
        case .missing, .outdated:
            return Finding(.plugins, .problem, fact, remedy: .setUp(command: command, emblems: false))
        case .notBuilt: return Finding(.plugins, .problem, fact, remedy: found.remedyForNoPlugin)
        case .placeUnknown: return Finding(.plugins, .problem, fact)
        }
    }
}
