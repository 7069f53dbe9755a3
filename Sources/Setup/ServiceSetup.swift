internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Starts and enables, or ends and disables, the user's services.
struct ServiceSetup: Sendable {
    let installation: Installation
    let bus: AsyncConnection?
    let units: UserUnits?

    static let badgeService = "roundeld"
    static let helper = "roundel-metadata"
    /// The programs that this installation runs for a user.
    private static let programs = [
        badgeService, "roundel-worker", "roundel-git", "roundel-marks", "roundel-syncthing", helper,
    ]
    /// Serves one folder on demand in each process; each has a unit of this template.
    private static let mount = "roundel-mount"

    /// Where this installation has its units: packages have them in lib, `make install` in share.
    private var unitFolder: FilePath {
        let folders = ["lib", "share"].map { installation.prefix.appending(FilePath("\($0)/systemd/user").components) }
        let unit = "\(ServiceSetup.badgeService).service"
        return folders.first { FileSystemFacts.exists($0.appending(unit)) } ?? folders[1]
    }

    // MARK: The badge service

    /// Makes the badge service start with the session, and starts it now; it starts the worker.
    func begin() async -> ServiceReport {
        guard let bus else { return ServiceReport(isEnabled: false, problem: .noBus) }
        var isEnabled = false
        do {
            if let units, FileSystemFacts.exists(unitFolder.appending("\(ServiceSetup.badgeService).service")) {
                try await units.enable("\(ServiceSetup.badgeService).service", in: unitFolder)
                isEnabled = true
            }
            // A bus that started before the installation may not know its services yet. The call starts the service.
            _ = try await bus.call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReloadConfig")
            _ = try await HostProxy(bus: bus).properties()
            return ServiceReport(isEnabled: isEnabled, problem: nil)
        } catch {
            return ServiceReport(isEnabled: isEnabled, problem: ServiceProblem(error))
        }
    }

    /// Ends every program of this installation, and makes none start with the session.
    /// - Throws: ``SetupFailure`` if one does not end.
    func end() async throws(SetupFailure) {
        let enabled = [ServiceSetup.badgeService, ServiceSetup.helper, "\(ServiceSetup.mount)@"]
        await units?.disable(enabled.map { "\($0).service" })
        await units?.stop(ServiceSetup.programs.map { "\($0).service" })
        if let entry = autostartEntry { try OwnFiles.remove(entry) }
        // A program that ended may be started again by another one that still runs.
        var left = running
        for _ in 1...3 where !left.isEmpty {
            let stubborn = RunningProcess.end(left, within: Patience.CommandLine.end)
            if let process = stubborn.first {
                let name = process.program.lastComponent?.string ?? ""
                throw .stubborn(program: name, process: process.process)
            }
            left = running
        }
        takeEmblemsAway()
    }

    // MARK: The helper for emblems

    /// Whether the helper runs.
    var hasHelper: Bool { running.contains { $0.program.lastComponent?.string == ServiceSetup.helper } }

    /// Makes the helper start with the session, and starts it now.
    /// - Throws: ``SetupFailure``, `DBusError`.
    func beginHelper() async throws {
        guard let program = installation.program(ServiceSetup.helper) else {
            throw SetupFailure.noHelper(ServiceSetup.helper)
        }
        // If something is missing, such as GVFS, it prints that and ends.
        guard hasHelper || ChildProgram.run([program.string, "--clean"], isSilent: true) == 0 else {
            throw SetupFailure.helperNotStarted(ServiceSetup.helper)
        }
        if let units {
            try await units.enable("\(ServiceSetup.helper).service", in: unitFolder)
            try await units.start("\(ServiceSetup.helper).service")
        } else if let entry = autostartEntry {
            try OwnFiles.write(ServiceSetup.autostart(program), to: entry)
            if !hasHelper, !ChildProgram.start([program.string]) {
                throw SetupFailure.helperNotStarted(ServiceSetup.helper)
            }
        }
        // The helper has no bus name and is not a child of this process, because the user manager starts it. So only
        // /proc shows that it runs, once its program was executed, which takes milliseconds.
        let deadline = ContinuousClock.now + Patience.CommandLine.helper
        while !hasHelper, ContinuousClock.now < deadline { try await Task.sleep(for: Patience.CommandLine.asking) }
        guard hasHelper else { throw SetupFailure.helperEnded(ServiceSetup.helper) }
    }

    private static func autostart(_ program: FilePath) -> String {
        """
        [Desktop Entry]
        Type=Application
        Name=Roundel emblems for Thunar and PCManFM-Qt
        Exec="\(program.string)"
        NoDisplay=true

        """
    }

    private var autostartEntry: FilePath? {
        SessionVariables.configuration(installation.environment)?.appending("autostart")
            .appending("org.roundel.Metadata.desktop")
    }

    private func takeEmblemsAway() {
        let directories = BaseDirectories { name in installation.environment(name).map { Array($0.utf8) } }
        guard let ledger = directories.state?.appending("roundel").appending("metadata-emblems"),
            (FileSystemFacts.status(ledger)?.st_size ?? 0) > 0, let program = installation.program(ServiceSetup.helper)
        else { return }
        _ = ChildProgram.run([program.string, "--clean"], isSilent: true)
    }

    /// The processes of this installation's services.
    private var running: [RunningProcess] {
        let programs = ServiceSetup.programs + [ServiceSetup.mount]
        let paths = programs.map { installation.prefix.appending("bin").appending($0) }
        return RunningProcess.all().filter { paths.contains($0.program) }
    }
}
