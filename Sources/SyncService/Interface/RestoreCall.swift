internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import Synchronization
internal import SystemPackage

/// One call of RestoreTrashSince, over one or several folders. If the caller leaves the bus, it ends before the next
/// item.
final class RestoreCall {
    private let call: MethodCall
    private unowned let service: Worker
    private let places: [KeptPlace]
    private let run: RestoreRun
    private var caller: Registration?

    /// Starts the restoring that a call requests, which gets its reply at the end.
    ///
    /// - Parameters:
    ///   - name: A folder or an item below one; "" for all.
    ///   - moment: In microseconds since 1970.
    ///   - target: The directory below which to restore everything; nil for the original places.
    /// - Throws: `UnknownFolder`, or `Failed` if too much is waiting.
    static func begin(
        _ call: MethodCall, _ name: String, since moment: Int64, to target: ItemURI?, _ service: Worker
    ) throws {
        let places = try service.removed.keptPlaces(named: name)
        let item = try? ItemURI(name)
        let run = RestoreRun(
            folders: places.map { place in
                RestoreRun.Folder(
                    kept: place.kept, uri: place.uri, path: item.flatMap { RelativePath($0, below: place.uri) } ?? .root
                )
            }, since: moment.floored(to: 1_000_000), target: target?.filePath)
        let restore = RestoreCall(call, places, run, service)
        restore.caller = try service.bus.watchName(call.sender) { owner in
            if owner == nil { run.cancel() }
        }
        // It runs on the loop, where it was created.
        nonisolated(unsafe) let report: (Int, Int) -> Void = { [weak restore] in restore?.report($0, of: $1) }
        let control = service.control
        let isBegun = service.blocking.run({
            run.run { done, total in control.post { report(done, total) } }
        }) { restore.finished($0) }
        if !isBegun { throw WorkerError.tooMuchWaits }
    }

    private init(_ call: MethodCall, _ places: [KeptPlace], _ run: RestoreRun, _ service: Worker) {
        self.call = call
        self.places = places
        self.run = run
        self.service = service
    }

    private func report(_ done: Int, of total: Int) {
        guard !call.isAnswered else { return }
        try? service.bus.emit(Names.workerPath, EngineInterface.trash.name, "RestoreProgress", to: call.sender) {
            writer in
            try writer.append(UInt64(done))
            try writer.append(UInt64(total))
            try writer.appendNoExtras()
        }
    }

    private func finished(_ outcome: RestoreRun.Outcome) {
        caller?.cancel()
        caller = nil
        service.letGo(places)
        for (index, place) in places.enumerated() where !run.isElsewhere {
            service.follow(outcome.restored.filter { $0.folder == index }.map { ($0.side, $0.path) }, in: place)
        }
        var result = SyncRestoration()
        result.restored = UInt64(outcome.restored.count)
        result.beside = UInt64(outcome.restored.count { $0.isBeside })
        result.failed = UInt64(outcome.failedCount)
        result.items = outcome.failed.map { failure in
            let place = places[failure.folder]
            return .init(uri: (failure.path.uri(below: place.uri) ?? place.uri).uri, message: failure.message)
        }
        result.unlisted = outcome.unlisted.map { places[$0].uri.uri }.sorted()
        call.reply { writer in
            try writer.append(map: result.map)
            try writer.appendNoExtras()
        }
    }
}

/// The work of one such call, on another thread.
private final class RestoreRun: Sendable {
    /// One of the folders, and the path in it from which to restore.
    struct Folder: Sendable {
        var kept: KeptOfFolder
        var uri: ItemURI
        var path: RelativePath
    }

    struct Outcome: Sendable {
        var restored: [(folder: Int, side: Side, path: RelativePath, isBeside: Bool)] = []
        var failed: [(folder: Int, path: RelativePath, message: String)] = []
        var failedCount = 0
        /// The indices of folders with a side that could not be read.
        var unlisted: [Int] = []
    }

    private let folders: [Folder]
    /// In seconds since 1970.
    private let moment: Int64
    private let target: FilePath?
    private let isCancelled = Atomic<Bool>(false)

    private static let mostNamed = 1_000

    init(folders: [Folder], since moment: Int64, target: FilePath?) {
        self.folders = folders
        self.moment = moment
        self.target = target
    }

    /// Whether items are restored to another place than the original one.
    var isElsewhere: Bool { target != nil }

    /// Makes it end before the next item.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// - Parameter report: Called from time to time with the number of restored items and the total.
    func run(_ report: (_ done: Int, _ total: Int) -> Void) -> Outcome {
        var outcome = Outcome()
        let plan = RestorePlan.whatStood(at: moment, of: find(&outcome))
        var reported = Instant.now
        for (done, found) in plan.enumerated() {
            if isCancelled.load(ordering: .relaxed) { break }
            if Instant.now >= reported + Patience.Worker.restoration {
                reported = .now
                report(done, plan.count)
            }
            restore(found, &outcome)
        }
        return outcome
    }

    private func find(_ outcome: inout Outcome) -> [RestorePlan.Found] {
        var found: [RestorePlan.Found] = []
        for (index, folder) in folders.enumerated() {
            guard let root = try? ItemURI("file:///"), let above = RelativePath(folder.uri, below: root) else {
                continue
            }
            let (items, unlisted) = folder.kept.versions()
            if unlisted != nil { outcome.unlisted.append(index) }
            for item in items where item.version.path.names.starts(with: folder.path.names) {
                let place = RelativePath(above.names + item.version.path.names)
                found.append(RestorePlan.Found(folder: index, place: place, item: item))
            }
        }
        return found
    }

    private func restore(_ found: RestorePlan.Found, _ outcome: inout Outcome) {
        let (folder, path) = (found.folder, found.item.version.path)
        do throws(WorkerError) {
            let place = try folders[folder].kept.putBack(found.item, to: target)
            outcome.restored.append((folder, found.item.side, place, place != path))
        } catch {
            outcome.failedCount += 1
            if outcome.failed.count < Self.mostNamed { outcome.failed.append((folder, path, error.message)) }
        }
    }
}

extension Int64 {
    /// The number of whole units, rounded towards the past.
    fileprivate func floored(to unit: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: unit)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
