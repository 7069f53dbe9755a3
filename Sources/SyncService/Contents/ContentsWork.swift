internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// Fetches or frees items of one or several folders, a few at a time, and sums up what comes of it. What fails because a
/// folder is not mounted goes on once it is mounted again.
final class ContentsWork {
    /// An item, which is known to its folder.
    struct Item {
        let unit: FolderUnit
        let node: NodeID
        let uri: ItemURI
    }

    /// What is told of failures: of a directory, that of the first file in it.
    private static let failuresAtMost = 1_000
    private static let demandsAtOnce = 32

    private typealias End = (Result<(DemandEnd, DemandProgress), WorkerError>) -> Void

    /// An item that is under way.
    private struct Running {
        let item: Item
        var end: End?
        var id: DemandID?
        /// What demands did that were made for it before, and what this one has done.
        var before = DemandProgress()
        var progress = DemandProgress()

        var sum: DemandProgress { before + progress }
    }

    private let aim: Demand.Aim
    private var waiting: ArraySlice<Item>
    private var running: [Int: Running] = [:]
    private var retries = DemandRetries<ObjectIdentifier>()
    private let loop: EventLoop
    private lazy var retryTimer = loop.makeTimer { [weak self] in self?.tryAgain() }
    private var done = DemandProgress()
    private var message: String?
    private var isOver = false
    private var last = 0
    private var isBeginning = false
    private let onProgress: (SyncContentsProgress) -> Void
    private var onEnd: (() -> Void)?

    /// What was done; complete at the end.
    private(set) var result = SyncContentsResult()
    /// The first item that failed, as an error of a call.
    private(set) var firstFailure: WorkerError?

    /// - Parameters:
    ///   - onProgress: Told often.
    ///   - onEnd: Called once, unless it is cancelled.
    init(
        _ aim: Demand.Aim, _ items: [Item], loop: EventLoop, onProgress: @escaping (SyncContentsProgress) -> Void,
        onEnd: @escaping () -> Void
    ) {
        (self.aim, waiting, self.loop) = (aim, items[...], loop)
        (self.onProgress, self.onEnd) = (onProgress, onEnd)
    }

    /// Begins, or goes on.
    func advance() {
        guard !isBeginning, !isOver else { return }
        isBeginning = true
        while running.count < Self.demandsAtOnce, let item = waiting.popFirst() { begin(item) }
        isBeginning = false
        guard running.isEmpty, waiting.isEmpty else { return }
        isOver = true
        result.files = UInt64(clamping: done.filesDone)
        result.bytes = UInt64(clamping: done.bytesDone)
        let callback = onEnd
        onEnd = nil
        callback?()
    }

    /// Abandons what is not done yet.
    func cancel() {
        guard !isOver else { return }
        isOver = true
        waiting = []
        onEnd = nil
        for one in running.values { if let id = one.id { one.item.unit.contents?.demands.withdraw(id) } }
        running = [:]
        retryTimer.cancel()
    }

    /// An item failed.
    func fail(_ uri: ItemURI, _ error: WorkerError, files: Int = 1) {
        if firstFailure == nil { firstFailure = error }
        result.failed += UInt64(clamping: files)
        if result.items.count < Self.failuresAtMost {
            result.items.append(ItemMessage(uri: uri.uri, message: error.message))
        }
    }

    private func begin(_ item: Item) {
        guard item.unit.contents != nil, !item.unit.hasDeparted else {
            return fail(item.uri, .notOnDemand(item.unit.settings.label))
        }
        // The engine does not know that yet, and would fetch it again.
        if aim == .away, item.unit.isToBePinned(item.node) {
            return fail(item.uri, WorkerError(DemandFailure(.pinned), item.uri, aim, in: item.unit))
        }
        last += 1
        let number = last
        running[number] = Running(item: item)
        // The object that made the demand may be released, not this one: whoever waits for the folder is told its end.
        let ended = item.unit.untilDeparture { [self] (result: Result<(DemandEnd, DemandProgress), WorkerError>) in
            guard let one = running.removeValue(forKey: number) else { return }
            let isDone = if case .success((.done, _)) = result { true } else { false }
            retries.ended(number, in: ObjectIdentifier(item.unit), isDone: isDone)
            switch result {
            case .success((let end, let progress)): finish(item, end, one.before + progress)
            case .failure(let error): fail(item.uri, error)
            }
            advance()
        }
        running[number]?.end = ended
        demand(number)
    }

    private func demand(_ number: Int) {
        // Cancelled, or the folder has departed meanwhile.
        guard let one = running[number], let ended = one.end, let contents = one.item.unit.contents else { return }
        let item = one.item
        let id = contents.demands.make(Demand(aim, item.node)) { [weak self] report in
            switch report {
            case .waits(let reason): self?.wait(item.unit.explainer.sentence(reason))
            case .progress(let progress): self?.progress(number, progress)
            case .ended(.failed(let failure), let progress):
                if self?.awaitMount(number, failure, progress, ended) == true { return }
                ended(.success((.failed(failure), progress)))
            case .ended(let end, let progress): ended(.success((end, progress)))
            }
        }
        running[number]?.id = id
    }

    // MARK: Not mounted

    /// Waits for a folder that was not mounted, or whose program has just ended.
    ///
    /// - Returns: Whether the demand goes on; otherwise it has failed.
    private func awaitMount(
        _ number: Int, _ failure: DemandFailure, _ progress: DemandProgress, _ ended: @escaping End
    ) -> Bool {
        guard let one = running[number], let mount = one.item.unit.contents?.mount else { return false }
        let (unit, folder) = (one.item.unit, ObjectIdentifier(one.item.unit))
        guard retries.failed(number, in: folder, as: failure, isMountWanted: mount.isWanted) else { return false }
        running[number]?.id = nil
        running[number]?.before = one.before + progress.done
        running[number]?.progress = DemandProgress()
        let notMounted = Explanation(.notMountedYet, .local, "\(unit.uri.filePath)")
        wait(unit.explainer.sentence(notMounted))
        mount.begin { [weak self] in
            guard let self, running[number] != nil else { return }
            guard retries.mounted(number, in: folder, isThere: mount.isThere) else {
                let failure = DemandFailure(.offline, notMounted)
                return ended(.success((.failed(failure), DemandProgress())))
            }
            // It may not be known yet that it went, and the sides are looked at first.
            if !retryTimer.isSet { retryTimer.set(after: Patience.Worker.mountRetry) }
        }
        return true
    }

    private func tryAgain() { for number in retries.takeDue() { demand(number) } }

    // MARK: Telling

    private func finish(_ item: Item, _ end: DemandEnd, _ progress: DemandProgress) {
        done = done + progress
        message = nil
        if case .failed(let failure) = end {
            fail(
                item.uri, WorkerError(failure, item.uri, aim, in: item.unit),
                files: max(1, progress.filesFailed))
        }
        tell()
    }

    private func progress(_ number: Int, _ progress: DemandProgress) {
        running[number]?.progress = progress
        message = nil
        tell()
    }

    private func wait(_ reason: String) {
        message = reason
        tell()
    }

    private func tell() {
        guard !isOver else { return }
        let sum = running.values.reduce(done) { $0 + $1.sum }
        var progress = SyncContentsProgress()
        progress.files = UInt64(clamping: sum.filesDone)
        progress.filesTotal = UInt64(clamping: sum.files)
        progress.bytes = UInt64(clamping: sum.bytesDone)
        progress.bytesTotal = UInt64(clamping: sum.bytes)
        progress.message = message
        onProgress(progress)
    }
}

extension DemandProgress {
    /// The sum of both.
    fileprivate static func + (left: DemandProgress, right: DemandProgress) -> DemandProgress {
        var sum = left
        sum.filesDone += right.filesDone
        sum.filesFailed += right.filesFailed
        sum.files += right.files
        sum.bytesDone = sum.bytesDone.addingReportingOverflow(right.bytesDone).partialValue
        sum.bytes = sum.bytes.addingReportingOverflow(right.bytes).partialValue
        return sum
    }

    /// What was done of it, as if that were all.
    fileprivate var done: Self {
        var done = Self()
        (done.filesDone, done.files, done.bytesDone, done.bytes) = (filesDone, filesDone, bytesDone, bytesDone)
        return done
    }
}

extension WorkerError {
    static func notOnDemand(_ folder: String) -> WorkerError {
        WorkerError(
            .notOnDemand, tr("All contents of “{1}” are on this computer, because the folder is not on demand.", folder)
        )
    }

    /// Why an item was not fetched or freed.
    init(_ failure: DemandFailure, _ item: ItemURI, _ aim: Demand.Aim, in unit: FolderUnit) {
        let code: Code =
            switch failure.reason {
            case .pinned: .pinned
            case .inUse: .inUse
            case .unsupported: .notOnDemand
            case .held: .answerNeeded
            case .offline where RemoteKinds.code(of: failure.message)?.absence == .login: .loginNeeded
            case .offline, .denied, .noSpace, .gone, .unsteady, .failed, .onlyHere, .interrupted: .failed
            }
        let said = unit.explainer.sentence(failure.message)
        self.init(code, said.isEmpty ? Self.words(failure.reason, ShownPath.short(item.filePath), aim, unit) : said)
    }

    /// What a reason says by itself.
    private static func words(
        _ reason: DemandFailure.Reason, _ path: String, _ aim: Demand.Aim, _ unit: FolderUnit
    ) -> String {
        switch reason {
        case .offline: tr("The remote of “{1}” cannot be reached. Try again when it can.", unit.settings.label)
        case .denied: tr("There is no permission for “{1}”.", path)
        case .noSpace: tr("There is too little room for “{1}” on this computer.", path)
        case .gone: tr("“{1}” no longer exists.", path)
        case .unsteady: tr("“{1}” is being changed. Try again.", path)
        case .failed:
            aim == .here ? tr("“{1}” could not be downloaded.", path) : tr("“{1}” could not be freed.", path)
        case .inUse: tr("“{1}” is in use. Close the program that uses it, then try again.", path)
        case .pinned: tr("“{1}” is always kept on this computer.", path)
        case .onlyHere: tr("“{1}” is on this computer only.", path)
        case .held: tr("“{1}” waits for your answer.", unit.settings.label)
        case .unsupported: notOnDemand(unit.settings.label).message
        case .interrupted: tr("The download was interrupted. Try again.")
        }
    }
}
