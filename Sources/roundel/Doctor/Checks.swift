import DBus
import Glibc
import RoundelBus
import Support
import SystemPackage

/// All checks of `roundel doctor`, ordered so that each part comes after those that it needs.
struct Checks {
    private let bus: AsyncConnection
    private let plugins: Plugins
    private var findings: [Finding] = []

    /// Runs all checks.
    /// - Throws: ``CommandFailure`` if it cannot be determined where Roundel is installed.
    static func run() async throws -> [Finding] {
        let plugins = Plugins(try .ofThisProgram())
        do {
            var checks = Checks(bus: try await Bus.open(), plugins: plugins)
            await checks.look()
            return checks.findings
        } catch let failure as CommandFailure {
            return [Finding("bus", .problem, failure.sentence)] + plugins.findings
        } catch {
            return [Finding("bus", .problem, Text.busUnusable("\(error)"))]
        }
    }

    private init(bus: AsyncConnection, plugins: Plugins) {
        self.bus = bus
        self.plugins = plugins
    }

    private mutating func look() async {
        findings.append(Finding("bus", .good, Text.busAnswers))
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
        findings += await DesktopSurvey.ofThisSession(bus, activatable: activatable, hasSidebar: hasSidebar).findings
        icons(properties?.iconThemePath ?? "")
    }

    // MARK: Services

    private mutating func badgeService(isActivatable: Bool) async -> HostProperties? {
        let properties: HostProperties
        do {
            // The call starts the service if it does not run.
            properties = try await HostProxy(bus: bus).properties()
        } catch {
            findings.append(
                Finding("service", .problem, Text.serviceSilent(reason(error)), remedy: "\(plugins.command) setup"))
            return nil
        }
        let version = properties.version.map(String.init)
        if let version, properties.version == interfaceVersion {
            findings.append(Finding("service", .good, Text.serviceRuns(version)))
        } else {
            findings.append(
                Finding(
                    "service", .problem,
                    Text.serviceVersion(version, expected: "\(interfaceVersion)"),
                    remedy: await UserUnits.find(bus) == nil
                        ? "roundeld --replace &" : "systemctl --user restart roundeld"))
        }
        if !isActivatable {
            findings.append(
                Finding(
                    "service", .advice, Text.serviceNotActivatable, remedy: Text.installService(Names.service)))
        }
        return properties
    }

    private mutating func worker(isActivatable: Bool, hasService: Bool) async {
        let worker = SyncWorkerProxy(bus: bus)
        do {
            let status = try await status(of: worker, patience: hasService ? Patience.CommandLine.start : .zero)
            if status.isWatching {
                findings.append(Finding("worker", .good, Text.workerRuns))
            } else {
                findings.append(
                    Finding(
                        "worker", .problem, Text.workerUnwatched,
                        remedy: hasService ? nil : "\(plugins.command) setup"))
            }
        } catch {
            if let explanation = (error as? DBusError).flatMap(WorkerCheck.explanation) {
                findings.append(Finding("worker", .problem, explanation, isFatal: true))
                return
            }
            findings.append(
                Finding("worker", .problem, Text.workerSilent(reason(error)), remedy: "\(plugins.command) setup"))
            return
        }
        if !isActivatable {
            findings.append(
                Finding("worker", .advice, Text.workerNotActivatable, remedy: Text.installService(Names.worker)))
        }
    }

    /// The worker's state once it takes part, or when the time is over.
    ///
    /// At the start of a session, the worker and the service have only just been started and are not connected yet. No
    /// signal reports that they are, so this asks repeatedly.
    private func status(
        of worker: SyncWorkerProxy, patience: Duration
    ) async throws -> SyncWorkerProxy.StatusReport {
        let deadline = ContinuousClock.now + patience
        var status = try await worker.status("")
        while !status.isWatching, ContinuousClock.now < deadline {
            try await Task.sleep(for: Patience.CommandLine.asking)
            status = try await worker.status("")
        }
        return status
    }

    /// The providers, once every enabled one runs or has failed, or when the time is over.
    private func startedProviders() async throws -> [ProviderSummary] {
        let settings = ProvidersProxy(bus: bus)
        let merge = EventMerge<Bool>()
        merge.add(try settings.changes()) { _ in true }
        merge.add(false, after: Patience.CommandLine.start, on: bus)
        var providers = try await settings.list()
        var events = merge.events.makeAsyncIterator()
        while !providers.allSatisfy({ !$0.enabled || $0.running || !$0.lastError.isEmpty }),
            await events.next() == true
        {
            providers = try await settings.list()
        }
        return providers
    }

    private func reason(_ error: any Error) -> String {
        (error as? DBusError)?.message ?? (error as? CommandFailure)?.sentence ?? "\(error)"
    }

    private mutating func providers() async {
        guard let providers = try? await startedProviders() else { return }
        for provider in providers where provider.enabled && !provider.running {
            let text = Text.providerStopped(provider.id.rawValue, because: provider.lastError)
            findings.append(Finding("providers", .problem, text))
        }
        if !providers.contains(where: { $0.id.rawValue == Names.workerProviderID }) {
            findings.append(
                Finding(
                    "providers", .advice, Text.noManifest,
                    remedy: Text.installManifest))
        }
    }

    // MARK: Folders

    private mutating func folders() async {
        guard let report = try? await SyncWorkerProxy(bus: bus).status("") else { return }
        if report.folders.isEmpty {
            findings.append(
                Finding("folders", .advice, Text.noFolderYet, remedy: "roundel add PATH REMOTE"))
        }
        for folder in report.folders { findings.append(Checks.finding(folder)) }
    }

    private static func finding(_ folder: SyncFolderStatus) -> Finding {
        let path = WorkerPath.sentence(folder.uri)
        if folder.needs != nil {
            let text = Text.folderNeeds(path, because: folder.message)
            return Finding("folders", .problem, text, remedy: Needs.remedy(folder))
        }
        guard let uri = try? ItemURI(folder.uri), isDirectory(uri.filePath) else {
            let remedy = Text.restoreFolder(WorkerPath.shellWord(folder.uri))
            return Finding("folders", .problem, Text.folderMissing(path), remedy: remedy)
        }
        if folder.state == .error {
            return Finding(
                "folders", .problem, Text.folderFailed(path, because: folder.message), remedy: "roundel activity")
        }
        return Finding(
            "folders", .good, Text.folderGood(path, state: BadgeAppearance.of(folder.state).label.lowercased()))
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
            findings.append(Finding("icons", .good, Text.emblemsIn(DisplayText.decoding(found.bytes))))
        } else {
            findings.append(
                Finding(
                    "icons", .problem, Text.noEmblems,
                    remedy: Text.installEmblems))
        }
    }
}
