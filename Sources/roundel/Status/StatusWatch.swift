import DBus
import RoundelBus

/// Gathers the states of the folders: from the badge service, which remembers those of all providers, and from the
/// worker, which knows more about its own.
struct StatusWatch: Sendable {
    let bus: AsyncConnection
    /// The item whose folder is shown; nil for all folders.
    let item: ItemURI?

    private enum Event: Sendable {
        case remembered([FolderView])
        case worker(SyncWorkerProxy.StatusReport)
        /// - Parameter isMissing: Whether there is no worker on this bus, and none that the bus can start.
        case workerFailed(CommandFailure, isMissing: Bool)
        case changed(SyncFolderStatus)
        case foldersChanged
        case impatient
    }

    /// The current state. It contains the worker's part only if the worker responds in time.
    /// - Throws: ``CommandFailure`` if neither service responds, or no folder contains the item.
    func once(within patience: Duration) async throws -> StatusReport {
        let merge = EventMerge<Event>()
        let task = askWorker(merge)
        defer { task.cancel() }
        let remembered = try? await folders()
        var report = StatusReport(remembered ?? [])
        merge.add(.impatient, after: patience, on: bus)
        loop: for await event in merge.events {
            switch event {
            case .worker(let answer):
                take(answer, into: &report)
                break loop
            case .workerFailed(let failure, let isMissing):
                if remembered == nil { throw failure }
                // Who uses another provider alone needs no worker.
                if !isMissing || report.folders.isEmpty { report.workerError = failure.sentence }
                break loop
            case .impatient:
                if report.folders.isEmpty { report.workerError = Text.workerLate }
                break loop
            case .remembered, .changed, .foldersChanged: continue
            }
        }
        return try restricted(report)
    }

    /// Prints the known state immediately, then every change, until the bus is gone.
    func follow(_ printer: StatusPrinter) async throws {
        var printer = printer
        let merge = EventMerge<Event>()
        let worker = SyncWorkerProxy(bus: bus)
        merge.add(try worker.statusChanges()) { .changed($0) }
        merge.add(try worker.folderChanges()) { _ in .foldersChanged }
        merge.add(bus.owners(of: Names.worker)) { $0 == nil ? nil : .foldersChanged }
        merge.add(try HostProxy(bus: bus).propertyChanges()) { changes in
            changes.known.contains(.folderStatus) ? .remembered(FolderView.views(of: changes.values)) : nil
        }
        var report = StatusReport((try? await folders()) ?? [])
        if !report.folders.isEmpty { printer.print(try restricted(report)) }
        var task = askWorker(merge)
        for await event in merge.events {
            switch event {
            case .worker(let answer):
                take(answer, into: &report)
                printer.print(try restricted(report))
            case .changed(let status):
                guard let view = FolderView(status) else { continue }
                report.update(view)
                printer.print(try restricted(report))
            case .remembered(let folders):
                report.retain(folders.map(\.uri))
                for folder in folders { report.update(folder) }
                printer.print(try restricted(report))
            case .foldersChanged:
                task.cancel()
                task = askWorker(merge)
            case .workerFailed(let failure, _):
                if report.folders.isEmpty { throw failure }
            case .impatient: continue
            }
        }
    }

    /// The folders as known to the badge service.
    private func folders() async throws -> [FolderView] {
        FolderView.views(of: try await HostProxy(bus: bus).properties())
    }

    private func askWorker(_ merge: EventMerge<Event>) -> Task<Void, Never> {
        Task {
            do {
                merge.add(.worker(try await SyncWorkerProxy(bus: bus).status("")))
            } catch let error as DBusError {
                let isMissing = error.standard == .serviceUnknown || error.standard == .nameHasNoOwner
                merge.add(.workerFailed(CommandFailure(ErrorSentence.of(error)), isMissing: isMissing))
            } catch {
                return
            }
        }
    }

    private func take(_ answer: SyncWorkerProxy.StatusReport, into report: inout StatusReport) {
        report.isWatching = answer.isWatching
        let views = answer.folders.compactMap(FolderView.init)
        report.forgetDetails(except: views.map(\.uri))
        for view in views { report.update(view) }
    }

    private func restricted(_ report: StatusReport) throws -> StatusReport {
        guard let item else { return report }
        guard let found = report.restricted(to: item) else {
            throw CommandFailure(report.workerError ?? Text.notInFolder(item.sentencePath))
        }
        return found
    }
}
