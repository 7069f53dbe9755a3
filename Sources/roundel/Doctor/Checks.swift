import DBus
import Glibc
import RoundelBus
import Support
import SystemPackage

/// Everything that `roundel doctor` looks at, in the order in which one part needs the other.
struct Checks {
    private let bus: AsyncConnection
    private let plugins: Plugins
    private var findings: [Finding] = []

    /// Looks at everything.
    /// - Throws: ``CommandFailure`` where it cannot be found out where Roundel is installed.
    static func run() async throws -> [Finding] {
        let plugins = Plugins(try .ofThisProgram())
        do {
            var checks = Checks(bus: try await Bus.open(), plugins: plugins)
            await checks.look()
            return checks.findings
        } catch let failure as CommandFailure {
            return [Finding("bus", .problem, failure.sentence)] + plugins.findings
        } catch {
            return [Finding("bus", .problem, "The session bus cannot be used: \(error)")]
        }
    }

    private init(bus: AsyncConnection, plugins: Plugins) {
        self.bus = bus
        self.plugins = plugins
    }

    private mutating func look() async {
        findings.append(Finding("bus", .good, "The session bus answers."))
        let activatable = (try? await bus.activatableNames()) ?? []
        let properties = await badgeService(isActivatable: activatable.contains(Names.service))
        await worker(isActivatable: activatable.contains(Names.worker), hasService: properties != nil)
        if properties != nil { await providers() }
        findings +=
            WatchLimits(
                perUser: WatchLimits.systemLimit(), used: properties?.watching.used,
                unreliable: (properties?.watching.unreliable ?? []).map(\.displayPath)
            ).findings
        await folders()
        findings += plugins.findings
        let hasSidebar = plugins.isInstalled("nautilus")
        findings += await DesktopParts.ofThisSession(bus, activatable: activatable, hasSidebar: hasSidebar).findings
        icons(properties?.iconThemePath ?? "")
    }

    // MARK: Services

    private mutating func badgeService(isActivatable: Bool) async -> HostProperties? {
        let properties: HostProperties
        do {
            // Asking starts the service where it does not run.
            properties = try await HostProxy(bus: bus).properties()
        } catch {
            findings.append(failed("service", "The badge service", error))
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
                    remedy: await UserUnits.find(bus) == nil
                        ? "roundeld --replace &" : "systemctl --user restart roundeld"))
        }
        if !isActivatable { findings.append(notActivatable("service", "badge service", Names.service)) }
        return properties
    }

    private mutating func worker(isActivatable: Bool, hasService: Bool) async {
        let worker = SyncWorkerProxy(bus: bus)
        do {
            let status = try await settled(of: worker, patience: hasService ? Checks.patience : .zero)
            if status.isWatching {
                findings.append(Finding("worker", .good, "The sync worker runs and is told of changes."))
            } else {
                findings.append(
                    Finding(
                        "worker", .problem, "The sync worker is not told of changes; it scans once a minute.",
                        remedy: hasService ? nil : "\(plugins.command) setup"))
            }
        } catch {
            findings.append(failed("worker", "The sync worker", error))
            return
        }
        if !isActivatable { findings.append(notActivatable("worker", "sync worker", Names.worker)) }
    }

    /// How long what has been started may take until it takes part.
    private static let patience = Duration.seconds(5)

    /// The worker's state once it takes part, or when the time is over.
    ///
    /// In the first moments of a session it and the service have only just been started, and have not met yet. No signal
    /// says that they have, so it is asked again.
    private func settled(
        of worker: SyncWorkerProxy, patience: Duration
    ) async throws -> SyncWorkerProxy.StatusReport {
        let deadline = ContinuousClock.now + patience
        var status = try await worker.status("")
        while !status.isWatching, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(50))
            status = try await worker.status("")
        }
        return status
    }

    /// The providers once each that is enabled runs or has failed, or when the time is over.
    private func settledProviders() async throws -> [ProviderSummary] {
        let settings = ProvidersProxy(bus: bus)
        let merge = EventMerge<Bool>()
        merge.add(try settings.changes()) { _ in true }
        merge.add(false, after: Checks.patience, on: bus)
        var providers = try await settings.list()
        var events = merge.events.makeAsyncIterator()
        while !providers.allSatisfy({ !$0.enabled || $0.running || !$0.lastError.isEmpty }),
            await events.next() == true
        {
            providers = try await settings.list()
        }
        return providers
    }

    private func failed(_ subject: String, _ name: String, _ error: any Error) -> Finding {
        let reason = (error as? DBusError)?.message ?? (error as? CommandFailure)?.sentence ?? "\(error)"
        return Finding(
            subject, .problem, "\(name) does not answer: \(reason)",
            remedy: "\(plugins.command) setup")
    }

    private func notActivatable(_ subject: String, _ name: String, _ bus: String) -> Finding {
        Finding(
            subject, .advice, "The bus does not know how to start the \(name) by itself.",
            remedy: "Install \(bus).service below share/dbus-1/services of a directory in XDG_DATA_DIRS.")
    }

    private mutating func providers() async {
        guard let providers = try? await settledProviders() else { return }
        for provider in providers where provider.enabled && !provider.running {
            let reason = provider.lastError.isEmpty ? "" : " \(provider.lastError)"
            findings.append(
                Finding("providers", .problem, "The provider \(provider.id) is enabled and does not run.\(reason)"))
        }
        if !providers.contains(where: { $0.id.rawValue == Names.workerProviderID }) {
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
        if folder.state == .error {
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
        let directories = BaseDirectories()
        let places = [directories.data].compactMap(\.self) + directories.systemData
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
