import DBus
import Glibc
import SystemPackage

/// Sets Roundel up, or undoes that: examines the machine, makes a plan, carries it out and examines the machine again.
struct SetupRun {
    let installation: Installation
    let managers: [SupportedFileManager]
    /// Whether to set up everything including the services, and not only some file managers.
    let isForAll: Bool
    /// Whether the user may be asked something.
    let isInteractive: Bool

    private var system: SystemPlaces { SystemPlaces(installation: installation) }
    private var found: [InstalledFileManager] { managers.compactMap { InstalledFileManager($0, installation) } }

    // MARK: As root

    /// Installs the plugins in the system's directories.
    func putAsRoot() throws -> SetupReport {
        umask(0o022)
        for manager in found { try system.put(manager) }
        let running = RunningProcess.all()
        return SetupReport(plugins: found.map { PluginReport($0, SessionVariables(), running: running) })
    }

    /// Removes the plugins from the system's directories.
    func removeAsRoot() throws -> SetupReport {
        umask(0o022)
        try system.remove(managers)
        let running = RunningProcess.all()
        return SetupReport(plugins: found.map { PluginReport(removed: $0, isLinked: false, running: running) })
    }

    // MARK: As another user

    func put(emblems: Bool) async throws -> SetupReport {
        let session = try await session()
        let file = SessionVariables.file(installation.environment)
        let desktop = installation.environment("XDG_CURRENT_DESKTOP")
        func plan() throws -> SetupPlan {
            SetupPlan(
                found, current: try file.map(SessionVariables.read) ?? SessionVariables(),
                reachesPrograms: file != nil
                    && SessionVariables.reachPrograms(ofDesktop: desktop, hasUserManager: session.units != nil))
        }
        var current = try plan()
        if offerToRoot(current.administrator, removing: false) { current = try plan() }
        if let file { try current.variables.write(file) }
        let service = isForAll ? await session.begin() : nil
        let helper = await helper(emblems, session)
        let running = RunningProcess.all()
        return SetupReport(
            plugins: found.map { PluginReport($0, current.variables, running: running) }, service: service,
            emblems: helper, command: command(current.administrator, removing: false))
    }

    func remove() async throws -> SetupReport {
        if isForAll { try await session().end() }
        let file = SessionVariables.file(installation.environment)
        func plan() throws -> SetupPlan {
            SetupPlan(
                removing: managers, current: try file.map(SessionVariables.read) ?? SessionVariables(),
                linked: managers.filter { !system.links(of: [$0]).isEmpty })
        }
        var current = try plan()
        if let file { try current.variables.write(file) }
        if offerToRoot(current.administrator, removing: true) { current = try plan() }
        let running = RunningProcess.all()
        return SetupReport(
            plugins: found.map {
                PluginReport(removed: $0, isLinked: current.administrator.contains($0.manager), running: running)
            },
            command: command(current.administrator, removing: true))
    }

    private func session() async throws -> ServiceSetup {
        let bus = try? await Bus.open()
        var units: UserUnits?
        if let bus { units = await UserUnits.find(bus) }
        return ServiceSetup(installation: installation, bus: bus, units: units)
    }

    // MARK: Steps that only root can do

    private func command(_ managers: [SupportedFileManager], removing: Bool) -> [String]? {
        guard !managers.isEmpty else { return nil }
        let program = installation.prefix.appending("bin").appending("roundel").string
        let words = [program, "setup"] + (removing ? ["--remove"] : []) + managers.map(\.program)
        return Administrator.command(words) { installation.found($0) != nil }
    }

    /// - Returns: Whether root did it.
    private func offerToRoot(_ managers: [SupportedFileManager], removing: Bool) -> Bool {
        guard isInteractive, let command = command(managers, removing: removing) else { return false }
        let names = managers.map(\.name)
        let reason = removing ? Text.rootRemoves(names) : Text.rootPuts(names)
        return Administrator.offer(command, because: reason, on: Console()) ?? false
    }

    // MARK: Emblems

    private func helper(_ isWanted: Bool, _ session: ServiceSetup) async -> EmblemReport {
        var problem: String?
        do {
            if isWanted { try await session.beginHelper() }
        } catch let failure as CommandFailure {
            problem = failure.sentence
        } catch {
            problem = (error as? DBusError).map(ErrorSentence.of) ?? "\(error)"
        }
        let programs = SupportedFileManager.withoutEmblems.filter { installation.found($0.0) != nil }
        return EmblemReport(
            names: programs.map(\.1), isInstalled: installation.program(ServiceSetup.helper) != nil,
            isRunning: session.hasHelper, command: installation.command, problem: problem)
    }
}
