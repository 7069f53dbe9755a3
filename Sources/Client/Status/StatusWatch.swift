package import DBus
package import RoundelBus

/// Gathers the states of the folders: from the badge service, which remembers those of all providers, and from the
/// worker, which knows more about its own.
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
        case worker(SyncWorkerProxy.StatusReport)
        case workerFailed(DBusError)
        case changed(SyncFolderStatus)
        case foldersChanged
        case impatient
    }

    /// The current state. It contains the worker's part only if the worker responds in time.
    /// - Throws: `DBusError` if neither service responds, and ``ClientError/notInFolder(_:)`` or ``WorkerAbsence`` if no
    ///   known folder contains the item.
    package func current(within patience: Duration) async throws -> StatusReport {
        let merge = EventMerge<Event>()
        let task = askWorker(merge)
        defer { task.cancel() }
        let remembered = try? await folders()
        var report = StatusReport(remembered ?? [])
        merge.add(.impatient, after: patience, on: bus)
        loop: for await event in merge.events {
            switch event {
            case .worker(let answer):
                report.take(answer)
                break loop
            case .workerFailed(let error):
                if remembered == nil { throw error }
                // Who uses another provider alone needs no worker.
                let isMissing = error.standard == .serviceUnknown || error.standard == .nameHasNoOwner
                if !isMissing || report.folders.isEmpty { report.absence = .failed(error) }
                break loop
            case .impatient:
                if report.folders.isEmpty { report.absence = .late }
                break loop
            case .remembered, .changed, .foldersChanged: continue
            }
        }
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
        var task = askWorker(merge)
        defer { task.cancel() }
        for await event in merge.events {
            switch event {
            case .worker(let answer): current.take(answer)
            case .changed(let status):
                guard let folder = FolderSummary(status) else { continue }
                current.update(folder)
            case .remembered(let folders):
                current.retain(folders.map(\.uri))
                for folder in folders { current.update(folder) }
            case .foldersChanged:
                task.cancel()
                task = askWorker(merge)
                continue
            case .workerFailed(let error):
                if current.folders.isEmpty { throw error }
                continue
            case .impatient: continue
            }
            report(try restricted(current))
        }
    }

    /// The changes that both services report.
    private func changes() throws -> EventMerge<Event> {
        let merge = EventMerge<Event>()
        let worker = SyncWorkerProxy(bus: bus)
        merge.add(try worker.statusChanges()) { .changed($0) }
        merge.add(try worker.folderChanges()) { _ in .foldersChanged }
        merge.add(bus.owners(of: Names.worker)) { $0 == nil ? nil : .foldersChanged }
        merge.add(try HostProxy(bus: bus).propertyChanges()) { changes in
            changes.known.contains(.folderStatus) ? .remembered(FolderSummary.summaries(of: changes.values)) : nil
        }
        return merge
    }

    /// The folders as known to the badge service.
    private func folders() async throws -> [FolderSummary] {
        FolderSummary.summaries(of: try await HostProxy(bus: bus).properties())
    }

    private func askWorker(_ merge: EventMerge<Event>) -> Task<Void, Never> {
        Task {
            do {
                merge.add(.worker(try await SyncWorkerProxy(bus: bus).status("")))
            } catch let error as DBusError {
                merge.add(.workerFailed(error))
            } catch {
                return
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
