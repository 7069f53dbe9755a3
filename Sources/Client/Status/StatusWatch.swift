package import DBus
package import RoundelBus

/// Gathers the states of the folders: from the badge service, which remembers those of all providers, and from the
/// engines, which know more about their own.
package struct StatusWatch: Sendable {
    private let bus: AsyncConnection
    private let item: ItemURI?

    /// - Parameter item: The item whose folder is reported; nil for all folders.
    package init(bus: AsyncConnection, item: ItemURI? = nil) {
        self.bus = bus
        self.item = item
    }

    private enum Event: Sendable {
        case remembered([FolderSummary])
        case answered(Engine, FoldersProxy.StatusReport)
        case failed(Engine, any Error)
        /// The engines beside the bundled one.
        case found([Engine])
        case changed(SyncFolderStatus, Engine)
        case foldersChanged
        case impatient
    }

    /// The current state. It contains the parts of those engines that respond in time.
    /// - Throws: `DBusError` if neither service responds, and ``ClientError/notInFolder(_:)`` or ``WorkerAbsence`` if no
    ///   known folder contains the item.
    package func current(within patience: Duration) async throws -> StatusReport {
        let merge = EventMerge<Event>()
        var tasks = [ask([.bundled], merge), findOthers(merge)]
        defer { for task in tasks { task.cancel() } }
        let remembered = try? await folders()
        var report = StatusReport(remembered ?? [])
        merge.add(.impatient, after: patience, on: bus)
        // The answer of the bundled engine, and which others there are.
        var expected = 2
        loop: for await event in merge.events {
            switch event {
            case .answered(let engine, let answer):
                report.take(answer, of: engine)
                expected -= 1
            case .failed(let engine, let error):
                if engine.isBundled { try report.note(error, isAlone: remembered == nil) }
                expected -= 1
            case .found(let engines):
                expected += engines.count - 1
                tasks.append(ask(engines, merge))
            case .impatient:
                if report.folders.isEmpty { report.absence = .late }
                break loop
            case .remembered, .changed, .foldersChanged: continue
            }
            if expected == 0 { break loop }
        }
        report.forgetMissingWorker()
        return try restricted(report)
    }

    /// The known state immediately, then the state after every change, until the bus is gone. Reports may be equal.
    ///
    /// The stream fails like ``current(within:)``.
    package func updates() -> AsyncThrowingStream<StatusReport, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await follow { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(_ report: (StatusReport) -> Void) async throws {
        let merge = try changes()
        var current = StatusReport((try? await folders()) ?? [])
        if !current.folders.isEmpty { report(try restricted(current)) }
        var followed: [Engine] = []
        var tasks = [ask([.bundled], merge), findOthers(merge)]
        defer { for task in tasks { task.cancel() } }
        for await event in merge.events {
            switch event {
            case .answered(let engine, let answer): current.take(answer, of: engine)
            case .changed(let status, let engine):
                guard let folder = FolderSummary(status, of: engine) else { continue }
                current.update(folder)
            case .remembered(let folders):
                current.retain(folders.map(\.uri))
                for folder in folders { current.update(folder) }
            case .found(let engines):
                let isGone = current.retain(engines: engines)
                for engine in engines where !followed.contains(engine) {
                    followed.append(engine)
                    try follow(engine, merge)
                }
                tasks.append(ask(engines, merge))
                guard isGone else { continue }
                for folder in (try? await folders()) ?? [] { current.update(folder) }
            case .foldersChanged:
                for task in tasks { task.cancel() }
                tasks = [ask([.bundled], merge), findOthers(merge)]
                continue
            case .failed(let engine, let error):
                guard engine.isBundled else { continue }
                try current.note(error, isAlone: current.folders.isEmpty)
                current.forgetMissingWorker()
            case .impatient: continue
            }
            report(try restricted(current))
        }
    }

    /// The changes that both services report.
    private func changes() throws -> EventMerge<Event> {
        let merge = EventMerge<Event>()
        try follow(.bundled, merge)
        merge.add(bus.owners(of: Names.worker)) { $0 == nil ? nil : .foldersChanged }
        merge.add(try ProvidersProxy(bus: bus).changes()) { _ in .foldersChanged }
        merge.add(try HostProxy(bus: bus).propertyChanges()) { changes in
            changes.known.contains(.folderStatus) ? .remembered(FolderSummary.summaries(of: changes.values)) : nil
        }
        return merge
    }

    /// Adds the changes that an engine reports.
    private func follow(_ engine: Engine, _ merge: EventMerge<Event>) throws {
        let proxy = FoldersProxy(bus: bus, engine: engine.address)
        merge.add(try proxy.statusChanges()) { .changed($0, engine) }
        merge.add(try proxy.folderChanges()) { _ in .foldersChanged }
    }

    /// The folders as known to the badge service.
    private func folders() async throws -> [FolderSummary] {
        FolderSummary.summaries(of: try await HostProxy(bus: bus).properties())
    }

    private func findOthers(_ merge: EventMerge<Event>) -> Task<Void, Never> {
        Task { merge.add(.found(await Engines(bus: bus).others(offering: .folders))) }
    }

    private func ask(_ engines: [Engine], _ merge: EventMerge<Event>) -> Task<Void, Never> {
        Task {
            await withTaskGroup(of: Void.self) { group in
                for engine in engines {
                    group.addTask {
                        do {
                            let proxy = FoldersProxy(bus: bus, engine: engine.address)
                            merge.add(.answered(engine, try await proxy.status("")))
                        } catch is CancellationError {
                            return
                        } catch {
                            merge.add(.failed(engine, error))
                        }
                    }
                }
            }
        }
    }

    private func restricted(_ report: StatusReport) throws -> StatusReport {
        guard let item else { return report }
        if let found = report.restricted(to: item) { return found }
        if let absence = report.absence { throw absence }
        throw ClientError.notInFolder(item)
    }
}
