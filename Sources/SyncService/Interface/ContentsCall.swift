internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore

/// One call of Fetch or Free that waits. It is given up if the caller leaves the bus.
final class ContentsCall {
    private let call: MethodCall
    private unowned let service: Worker
    /// Whether one file is all that is named, whose failure is an error of the call.
    private let isFile: Bool
    private var work: ContentsWork?
    private var caller: Registration?
    private var isOver = false

    /// The most items of one call.
    private static let itemsAtMost = 100_000

    /// - Throws: `InvalidUri`, `LimitExceeded`; `UnknownFolder` and `NotOnDemand` if only one item is named.
    static func begin(_ aim: Demand.Aim, _ call: MethodCall, _ uris: [String], _ options: VariantMap, _ service: Worker)
        throws
    {
        let items = try items(uris)
        service.lost.whenKnown(items) { [unowned service] in
            do throws(DBusError) {
                try begin(aim, call, items, options, service)
            } catch {
                call.fail(error)
            }
        }
    }

    private static func begin(
        _ aim: Demand.Aim, _ call: MethodCall, _ items: [ItemURI], _ options: VariantMap, _ service: Worker
    ) throws(DBusError) {
        let selection = service.moving.select(items)
        if items.count == 1, let refused = selection.refused.first { throw refused.error.busError }
        if options.bool("wait") == false {
            service.moving.beginUnwatched(aim, selection)
            return reply(SyncContentsResult(), to: call)
        }
        let isFile = items.count == 1 && selection.items.allSatisfy { $0.unit.items.isFile($0.node) }
        let waiting = ContentsCall(call, service, isFile: isFile)
        guard service.contentsCalls.keep(waiting) else { throw WorkerError.tooMuchWaits.busError }
        waiting.caller = try service.bus.watchName(call.sender) { [weak waiting] owner in
            if owner == nil { waiting?.abandon() }
        }
        waiting.work = service.moving.begin(aim, selection) { [weak waiting] progress in
            waiting?.report(progress)
        } _: { [weak waiting] result in
            waiting?.end(result)
        }
    }

    /// The items that a caller names.
    /// - Throws: `InvalidUri`, `LimitExceeded`.
    static func items(_ uris: [String]) throws(WorkerError) -> [ItemURI] {
        guard uris.count <= itemsAtMost else {
            throw WorkerError(.limitExceeded, tr("A call names at most {1} items.", "\(itemsAtMost)"))
        }
        return try uris.map { text throws(WorkerError) in
            do throws(ItemURIError) { return try ItemURI(text) } catch { throw WorkerError(invalidURI: text, error) }
        }
    }

    private init(_ call: MethodCall, _ service: Worker, isFile: Bool) {
        (self.call, self.service, self.isFile) = (call, service, isFile)
    }

    private func report(_ progress: SyncContentsProgress) {
        guard !isOver else { return }
        service.contentsReports.note(progress, of: self, for: call.sender)
    }

    private func abandon() {
        if let work { service.moving.stop(work) }
        letGo()
    }

    private func end(_ result: Result<ContentsWork, WorkerError>) {
        guard !isOver else { return }
        switch result {
        case .failure(let error): call.fail(error.busError)
        case .success(let work):
            if isFile, let failure = work.firstFailure {
                call.fail(failure.busError)
            } else {
                Self.reply(work.result, to: call)
            }
        }
        letGo()
    }

    private func letGo() {
        isOver = true
        caller?.cancel()
        caller = nil
        service.contentsReports.forget(self, of: call.sender)
        service.contentsCalls.letGo(self)
    }

    private static func reply(_ result: SyncContentsResult, to call: MethodCall) {
        call.reply { writer in
            try writer.append(map: result.map)
            try writer.appendNoExtras()
        }
    }
}
