internal import DBus
internal import Glibc
internal import SystemPackage

/// Sets Roundel up, or undoes that: examines the machine, makes a plan, carries it out and examines the machine again.
package struct SetupRun: Sendable {
    /// What only root can do.
    package struct RootStep: Sendable {
        /// The command that does it as root, word by word.
        package let command: [String]
        /// The file managers whose plugins it puts into the system's directories, or takes away.
        package let managers: [SupportedFileManager]
        /// Whether it takes them away.
        package let isRemoving: Bool
    }

    /// Offers a step to the user and has it done.
    /// - Returns: Whether it was done.
    package typealias Offer = @Sendable (RootStep) async -> Bool

    private let installation: Installation
    private let managers: [SupportedFileManager]
    private let isForAll: Bool

    /// - Parameters:
    ///   - installation: The installation to set up.
    ///   - managers: The file managers that it is set up for.
    ///   - isForAll: Whether to set up everything including the services, and not only some file managers.
    package init(_ installation: Installation, managers: [SupportedFileManager], isForAll: Bool) {
        self.installation = installation
        self.managers = managers
        self.isForAll = isForAll
    }

    private var system: SystemPlaces { SystemPlaces(installation: installation) }
    private var found: [InstalledFileManager] { managers.compactMap { InstalledFileManager($0, installation) } }
    private var variablesFile: FilePath? { SessionVariables.file(installation.environment) }

    // MARK: As root

    /// Installs the plugins in the system's directories.
    package func putAsRoot() throws(SetupFailure) -> SetupReport {
        umask(0o022)
        for manager in found { try system.put(manager) }
        let running = RunningProcess.all()
        return SetupReport(plugins: found.map { PluginReport($0, SessionVariables(), running: running) })
    }

    /// Removes the plugins from the system's directories.
    package func removeAsRoot() throws(SetupFailure) -> SetupReport {
        umask(0o022)
        try system.remove(managers)
        let running = RunningProcess.all()
        return SetupReport(plugins: found.map { PluginReport(removed: $0, isLinked: false, running: running) })
    }

    // MARK: As another user

    /// What setting up would change.
    package func plan() async throws(SetupFailure) -> SetupPlan { try await plan(session()) }

    private func plan(_ session: ServiceSetup) throws(SetupFailure) -> SetupPlan {
        let desktop = installation.environment("XDG_CURRENT_DESKTOP")
        return SetupPlan(
            found, current: try currentVariables(),
            reachesPrograms: variablesFile != nil
                && SessionVariables.reachPrograms(ofDesktop: desktop, hasUserManager: session.units != nil))
    }

    /// What undoing it would change.
    package func planOfRemoval() throws(SetupFailure) -> SetupPlan {
        SetupPlan(
            removing: managers, current: try currentVariables(),
            linked: managers.filter { !system.links(of: [$0]).isEmpty })
    }

    private func currentVariables() throws(SetupFailure) -> SessionVariables {
        guard let file = variablesFile else { return SessionVariables() }
        return try SessionVariables.read(file)
    }

    /// Sets everything up.
    /// - Parameters:
    ///   - emblems: Whether to start the helper for file managers that do not report which directories they show.
    ///   - offer: Asks the user for what only root can do.
    package func put(emblems: Bool, offer: Offer) async throws(SetupFailure) -> SetupReport {
        let session = await session()
        var current = try plan(session)
        if let step = rootStep(current.administrator, removing: false), await offer(step) {
            current = try plan(session)
        }
        if let file = variablesFile { try current.variables.write(file) }
        let service = isForAll ? await session.begin() : nil
        let helper = await helper(emblems, session)
        let running = RunningProcess.all()
        var report = SetupReport(
            plugins: found.map { PluginReport($0, current.variables, running: running) },
            command: rootStep(current.administrator, removing: false)?.command)
        report.service = service
        report.emblems = helper
        return report
    }

    /// Undoes everything.
    /// - Parameter offer: Asks the user for what only root can do.
    package func remove(offer: Offer) async throws(SetupFailure) -> SetupReport {
        if isForAll { try await session().end() }
        var current = try planOfRemoval()
        if let file = variablesFile { try current.variables.write(file) }
        if let step = rootStep(current.administrator, removing: true), await offer(step) {
            current = try planOfRemoval()
        }
        let running = RunningProcess.all()
        return SetupReport(
            plugins: found.map {
                PluginReport(removed: $0, isLinked: current.administrator.contains($0.manager), running: running)
            },
            command: rootStep(current.administrator, removing: true)?.command)
    }

    private func session() async -> ServiceSetup {
        let bus = try? await AsyncConnection.open(.session)
        var units: UserUnits?
        if let bus { units = await UserUnits.find(bus) }
        return ServiceSetup(installation: installation, bus: bus, units: units)
    }

    private func rootStep(_ managers: [SupportedFileManager], removing: Bool) -> RootStep? {
        guard !managers.isEmpty else { return nil }
        let program = installation.prefix.appending("bin").appending("roundel").string
        let words = [program, "setup"] + (removing ? ["--remove"] : []) + managers.map(\.program)
        let command = Administrator.command(words) { installation.found($0) != nil }
        return RootStep(command: command, managers: managers, isRemoving: removing)
    }

    private func helper(_ isWanted: Bool, _ session: ServiceSetup) async -> EmblemReport {
        var problem: ServiceProblem?
        do {
            if isWanted { try await session.beginHelper() }
        } catch {
            problem = ServiceProblem(error)
        }
        let programs = SupportedFileManager.withoutEmblems.filter { installation.found($0.0) != nil }
        return EmblemReport(
            names: programs.map(\.1), isInstalled: installation.program(ServiceSetup.helper) != nil,
            isRunning: session.hasHelper, command: installation.command, problem: problem)
    }
}
