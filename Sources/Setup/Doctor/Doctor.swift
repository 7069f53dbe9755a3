internal import DBus
internal import Glibc
internal import MountProtocol
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Examines the whole installation. The checks are ordered so that each part comes after those that it needs.
package struct Doctor {
    private let bus: AsyncConnection
    private let plugins: Plugins
    private var findings: [Finding] = []

    /// Carries out all checks.
    /// - Throws: ``SetupFailure`` if it cannot be determined where Roundel is installed.
    package static func examine() async throws(SetupFailure) -> [Finding] {
        let plugins = Plugins(try .ofThisProgram())
        do {
            var doctor = Doctor(bus: try await .open(.session), plugins: plugins)
            await doctor.look()
            return doctor.findings
        } catch let error as DBusError {
            return [Finding(.bus, .problem, .noBus(error.message))] + plugins.findings
        } catch {
            return [Finding(.bus, .problem, .busUnusable("\(error)"))]
        }
    }

    private init(bus: AsyncConnection, plugins: Plugins) {
        self.bus = bus
        self.plugins = plugins
    }

    private mutating func look() async {
        add(.bus, .good, .busAnswers)
        let activatable = (try? await bus.activatableNames()) ?? []
        let properties = await badgeService(isActivatable: activatable.contains(Names.service))
        await worker(isActivatable: activatable.contains(Names.worker), hasService: properties != nil)
        if properties != nil { await providers() }
        findings +=
            WatchLimits(
                perUser: WatchLimits.systemLimit(), used: properties?.watching.used,
                unreliable: properties?.watching.unreliable ?? []
            ).findings
        await folders()
        findings.append(Doctor.finding(FuseSupport.found()))
        findings += plugins.findings
        let hasSidebar = plugins.isInstalled("nautilus")
        findings += await DesktopSurvey.ofThisSession(bus, activatable: activatable, hasSidebar: hasSidebar).findings
        icons(properties?.iconThemePath ?? "")
    }

    private mutating func add(
        _ subject: Finding.Subject, _ verdict: Finding.Verdict, _ fact: Finding.Fact, remedy: Finding.Remedy? = nil
    ) {
        findings.append(Finding(subject, verdict, fact, remedy: remedy))
    }

    private var setUp: Finding.Remedy { .setUp(command: plugins.command, emblems: false) }

    // MARK: Services

    private mutating func badgeService(isActivatable: Bool) async -> HostProperties? {
        let properties: HostProperties
        do {
            // The call starts the service if it does not run.
            properties = try await HostProxy(bus: bus).properties()
        } catch {
            add(.service, .problem, .serviceSilent(reason(error)), remedy: setUp)
            return nil
        }
        if properties.version == interfaceVersion {
            add(.service, .good, .serviceRuns(interfaceVersion))
        } else {
            let isManaged = await UserUnits.find(bus) != nil
            add(
                .service, .problem, .otherVersion(properties.version, expected: interfaceVersion),
                remedy: isManaged ? .restartService : .replaceService)
        }
        if !isActivatable {
            add(.service, .advice, .serviceNotActivatable, remedy: .installService(Names.service))
        }
        return properties
    }

    private mutating func worker(isActivatable: Bool, hasService: Bool) async {
        let worker = FoldersProxy(bus: bus)
        do {
            let status = try await status(of: worker, patience: hasService ? Patience.CommandLine.start : .zero)
            if status.isWatching {
                add(.worker, .good, .workerRuns)
            } else {
                add(.worker, .problem, .workerUnwatched, remedy: hasService ? nil : setUp)
            }
        } catch {
            if let obstacle = (error as? DBusError).flatMap(WorkerCheck.obstacle) {
                return add(.worker, .problem, .workerKept(obstacle))
            }
            let isFailedStart = (error as? DBusError).map(WorkerCheck.isFailedStart) ?? false
            return add(
                .worker, .problem, isFailedStart ? .workerNotStarted(reason(error)) : .workerSilent(reason(error)),
                remedy: isActivatable ? .runWorker : setUp)
        }
        if !isActivatable { add(.worker, .advice, .workerNotActivatable, remedy: .installService(Names.worker)) }
    }

    /// The worker's state once it takes part, or when the time is over.
    ///
    /// At the start of a session, the worker and the service have only just been started and are not connected yet. No
    /// signal reports that they are, so this asks repeatedly.
    private func status(
        of worker: FoldersProxy, patience: Duration
    ) async throws -> FoldersProxy.StatusReport {
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

    private func reason(_ error: any Error) -> String { (error as? DBusError)?.message ?? "\(error)" }

    private mutating func providers() async {
        guard let providers = try? await startedProviders() else { return }
        let isWorkerKept = findings.contains { $0.subject == .worker && $0.verdict == .problem }
        for provider in providers {
            let isBundled = provider.id.rawValue == Names.workerProviderID
            if isBundled && !provider.enabled { add(.providers, .problem, .bundledOff, remedy: .turnOnBundled) }
            // What keeps the worker from running was said.
            guard provider.enabled, !provider.running, !(isBundled && isWorkerKept) else { continue }
            add(.providers, .problem, .providerStopped(provider.id, provider.lastError))
        }
        if !providers.contains(where: { $0.id.rawValue == Names.workerProviderID }) {
            add(.providers, .advice, .noManifest, remedy: .installManifest)
        }
    }

    // MARK: Folders

    private mutating func folders() async {
        guard let report = try? await FoldersProxy(bus: bus).status("") else { return }
        if report.folders.isEmpty { add(.folders, .advice, .noFolder, remedy: .addFolder) }
        findings += report.folders.map(Doctor.finding)
    }

    private static func finding(_ folder: SyncFolderStatus) -> Finding {
        if folder.needs != nil {
            return Finding(.folders, .problem, .folderNeeds(folder), remedy: .satisfy(folder))
        }
        guard let uri = try? ItemURI(folder.uri), isDirectory(uri.filePath) else {
            return Finding(.folders, .problem, .folderMissing(folder), remedy: .restoreFolder(folder))
        }
        if folder.state == .error {
            return Finding(.folders, .problem, .folderFailed(folder), remedy: .seeActivity)
        }
        return Finding(.folders, .good, .folderGood(folder))
    }

    /// Whether there can be folders on demand.
    static func finding(_ support: FuseSupport) -> Finding {
        switch support {
        case .complete: Finding(.onDemand, .good, .onDemand(support))
        case .noProgram: Finding(.onDemand, .advice, .onDemand(support), remedy: .installFuse)
        case .noDevice: Finding(.onDemand, .advice, .onDemand(support))
        }
    }

    private static func isDirectory(_ path: FilePath) -> Bool {
        (FileSystemFacts.status(path)?.st_mode ?? 0) & S_IFMT == S_IFDIR
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
            add(.icons, .good, .emblemsFound(found))
        } else {
            add(.icons, .problem, .noEmblems, remedy: .installEmblems)
        }
    }
}
