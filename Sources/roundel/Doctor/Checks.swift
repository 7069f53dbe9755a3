import BadgeCore
import DBus
import Glibc
import RoundelBus
import SystemPackage

/// Everything that `roundel doctor` looks at, in the order in which one part needs the other.
struct Checks {
    private let bus: AsyncConnection
    private var findings: [Finding] = []

    /// Looks at everything.
    static func run() async -> [Finding] {
        do {
            var checks = Checks(bus: try await Bus.open())
            await checks.look()
            return checks.findings
        } catch let failure as CommandFailure {
            return [Finding("bus", .problem, failure.sentence)] + Plugins.ofThisMachine().findings
        } catch {
            return [Finding("bus", .problem, "The session bus cannot be used: \(error)")]
        }
    }

    private init(bus: AsyncConnection) { self.bus = bus }

    private mutating func look() async {
        findings.append(Finding("bus", .good, "The session bus answers."))
        let activatable = (try? await bus.activatableNames()) ?? []
        let properties = await badgeService(isActivatable: activatable.contains(Names.service))
        await worker(isActivatable: activatable.contains(Names.worker))
        if properties != nil { await providers() }
        findings +=
            WatchLimits(
                perUser: WatchLimits.systemLimit(), used: properties?.watchesUsed,
                unreliable: (properties?.unreliable ?? []).map(\.displayPath)
            ).findings
        await folders()
        findings += Plugins.ofThisMachine().findings
        findings += await DesktopParts.ofThisSession(bus, activatable: activatable).findings
        icons(properties?.iconThemePath ?? "")
    }

    // MARK: Services

    private mutating func badgeService(isActivatable: Bool) async -> HostProperties? {
        let properties: HostProperties
        do {
            // Asking starts the service where it does not run.
            properties = try await Host(bus: bus).properties()
        } catch {
            findings.append(failed("service", "The badge service", error, program: "roundeld"))
            return nil
        }
        let version = properties.version.map(String.init) ?? "unknown"
        if properties.version == interfaceVersion {
            findings.append(Finding("service", .good, "The badge service runs (interface version \(version))."))
        } else {
            findings.append(
                Finding(
                    "service", .problem,
                    "The badge service has interface version \(version), this command expects \(interfaceVersion).",
                    remedy: "systemctl --user restart roundeld, or: roundeld --replace &"))
        }
        if !isActivatable { findings.append(notActivatable("service", "badge service", Names.service)) }
        return properties
    }

    private mutating func worker(isActivatable: Bool) async {
        do {
            let status = try await SyncWorkerProxy(bus: bus).status("")
            if status.isWatching {
                findings.append(Finding("worker", .good, "The sync worker runs and is told of changes."))
            } else {
                findings.append(
                    Finding(
                        "worker", .problem, "The sync worker is not told of changes; it scans once a minute.",
                        remedy: "Start the badge service: systemctl --user start roundeld, or: roundeld &"))
            }
        } catch {
            findings.append(failed("worker", "The sync worker", error, program: "roundel-worker"))
            return
        }
        if !isActivatable { findings.append(notActivatable("worker", "sync worker", Names.worker)) }
    }

    private func failed(_ subject: String, _ name: String, _ error: any Error, program: String) -> Finding {
        let reason = (error as? DBusError)?.message ?? (error as? CommandFailure)?.sentence ?? "\(error)"
        return Finding(
            subject, .problem, "\(name) does not answer: \(reason)",
            remedy: "systemctl --user start \(program), or: \(program) &")
    }

    private func notActivatable(_ subject: String, _ name: String, _ bus: String) -> Finding {
        Finding(
            subject, .advice, "The bus does not know how to start the \(name) by itself.",
            remedy: "Install \(bus).service below share/dbus-1/services of a directory in XDG_DATA_DIRS.")
    }

    private mutating func providers() async {
        guard let providers = try? await Host(bus: bus).providers() else { return }
        for provider in providers where provider.isEnabled && !provider.isRunning {
            let reason = provider.lastError.map { " \($0)" } ?? ""
            findings.append(
                Finding("providers", .problem, "The provider \(provider.id) is enabled and does not run.\(reason)"))
        }
        if !providers.contains(where: { $0.id == Names.workerProviderID }) {
            findings.append(
                Finding(
                    "providers", .advice, "The bundled provider has no manifest; it is not started with the session.",
                    remedy: "Install roundel.provider below share/roundel/providers of a directory in XDG_DATA_DIRS."))
        }
    }

    // MARK: Folders

    private mutating func folders() async {
        guard let report = try? await SyncWorkerProxy(bus: bus).status("") else { return }
        if report.folders.isEmpty {
            findings.append(
                Finding("folders", .advice, "No folder is synced yet.", remedy: "roundel add PATH REMOTE"))
        }
        for folder in report.folders { findings.append(Checks.finding(folder)) }
    }

    private static func finding(_ folder: SyncFolderStatus) -> Finding {
        let path = WorkerPath.display(folder.uri)
        if let advice = Needs.advice(folder) {
            let reason = folder.message ?? "It needs you."
            return Finding("folders", .problem, "\(path): \(reason)", remedy: advice)
        }
        guard let uri = try? ItemURI(folder.uri), isDirectory(uri.filePath) else {
            let remedy = "Bring it back, or say where it is: roundel relocate \(WorkerPath.shellWord(folder.uri)) NEW"
            return Finding("folders", .problem, "\(path) is not there.", remedy: remedy)
        }
        if folder.state == "error" {
            let reason = folder.message ?? "some items could not be synced"
            return Finding("folders", .problem, "\(path): \(reason)", remedy: "roundel activity")
        }
        return Finding("folders", .good, "\(path) is there: \(BadgeAppearance.of(folder.state).label.lowercased()).")
    }

    private static func isDirectory(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    // MARK: Icons

    private mutating func icons(_ themePath: String) {
        let emblem: FilePath = "hicolor/scalable/emblems/emblem-roundel-synced.svg"
        let places = [DataFolders.own].compactMap(\.self) + DataFolders.system
        let themes = (themePath.isEmpty ? [] : [FilePath(themePath)]) + places.map { $0.appending("icons") }
        let found = themes.first { theme in
            theme.appending(emblem.components).withPlatformString { access($0, R_OK) } == 0
        }
        if let found {
            findings.append(Finding("icons", .good, "The emblems are in \(DisplayText.decoding(found.bytes))."))
        } else {
            findings.append(
                Finding(
                    "icons", .problem, "The emblems are in no icon theme, so that file managers have nothing to show.",
                    remedy: "Install the hicolor folder below share/icons of a directory in XDG_DATA_DIRS."))
        }
    }
}
