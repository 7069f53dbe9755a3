internal import DBus
internal import MountProtocol
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// The files of one folder on demand that programs wait for in open(2): has them fetched, and tells the mounted folder
/// how that goes.
final class FolderOpenings {
    private struct Opening {
        let path: RelativePath
        let program: String
        var demand: DemandID?
        /// How often the path was looked for, or the demand made.
        var attempts = 0
    }

    private let items: FolderItems
    private let engine: SyncFolder
    private let demands: FolderDemands
    private let contents: MountedContents
    private let notices: ContentsNotices
    private let loop: EventLoop
    private var openings: [FetchNumber: Opening] = [:]
    private var rule = OpenedFiles()
    // The loop keeps timers that are set, also those of a folder that was removed.
    private lazy var ruleTimer = loop.makeTimer { [weak self] in self?.handle(.timer) }
    private lazy var goingOnTimer = loop.makeTimer { [weak self] in self?.goOn() }
    private lazy var retryTimer = loop.makeTimer { [weak self] in self?.tryAgain() }
    private var toTryAgain: [FetchNumber] = []
    private var triedRemote: Instant?

    /// How often a path is looked for that is not known yet.
    private static let looksAtMost = 4
    /// How often a demand is made again that ended with its session, or came before that.
    private static let attemptsAtMost = 20

    init(
        _ items: FolderItems, engine: SyncFolder, demands: FolderDemands, contents: MountedContents,
        notices: ContentsNotices, loop: EventLoop
    ) {
        (self.items, self.engine, self.demands, self.contents) = (items, engine, demands, contents)
        (self.notices, self.loop) = (notices, loop)
    }

    /// Whether a program waits.
    var isEmpty: Bool { openings.isEmpty }

    // MARK: What programs do

    /// A program waits for the contents of the item at a path.
    func opened(_ fetch: FetchNumber, _ path: RelativePath, by program: String) {
        openings[fetch] = Opening(path: path, program: program)
        if !goingOnTimer.isSet { goingOnTimer.set(after: Patience.Worker.goingOn) }
        look(for: fetch)
    }

    /// Nobody waits for it any more.
    func withdrawn(_ fetch: FetchNumber) {
        guard let opening = openings.removeValue(forKey: fetch) else { return }
        if let demand = opening.demand { demands.withdraw(demand) }
        handle(.ended(fetch))
    }

    /// The folder does not answer any more: nobody waits.
    func withdrawAll() {
        for fetch in openings.keys.sorted(by: { $0.rawValue < $1.rawValue }) { withdrawn(fetch) }
    }

    /// Ends what waits for time.
    func stop() {
        for timer in [ruleTimer, goingOnTimer, retryTimer] { timer.cancel() }
    }

    /// A person has answered a question; false if it is over.
    func answer(_ question: Int, mayDownload: Bool) -> Bool {
        guard let program = notices.program(ofQuestion: question) else { return false }
        handle(.answered(program: program, mayDownload: mayDownload))
        return true
    }

    private func goOn() {
        guard !openings.isEmpty else { return }
        for fetch in openings.keys { contents.goOn(fetch) }
        goingOnTimer.set(after: Patience.Worker.goingOn)
    }

    // MARK: Looking for the item

    /// An item that is not known yet may have been made just now, or moved.
    private func look(for fetch: FetchNumber) {
        guard let opening = openings[fetch] else { return }
        if let node = node(at: opening.path) {
            openings[fetch]?.attempts = 0
            let bytes = ((try? engine.store.node(node, in: .local)) ?? nil)?.local?.size ?? 0
            return handle(.opened(fetch, by: opening.program, bytes: bytes))
        }
        guard opening.attempts < Self.looksAtMost else { return fail(fetch, .noSuchFileOrDirectory) }
        openings[fetch]?.attempts += 1
        engine.changed(.local, items: [opening.path])
        tryAgainSoon(fetch)
    }

    private func node(at path: RelativePath) -> NodeID? { (try? engine.store.localNode(at: path)) ?? nil }

    private func tryAgainSoon(_ fetch: FetchNumber) {
        toTryAgain.append(fetch)
        if !retryTimer.isSet { retryTimer.set(after: Patience.Worker.unknownPath) }
    }

    private func tryAgain() {
        let due = toTryAgain
        toTryAgain = []
        for fetch in due where openings[fetch] != nil {
            if rule.contains(fetch) { demand(fetch) } else { look(for: fetch) }
        }
    }

    // MARK: The rule

    private func handle(_ event: OpenedFiles.Event) {
        for action in rule.handle(event, at: .now) {
            switch action {
            case .fetch(let fetch): demand(fetch)
            case .refuse(let fetch): fail(fetch, .canceled)
            case .ask(let program): ask(about: program)
            case .endQuestion(let program): notices.endQuestion(about: program)
            case .setTimer(let due): if let due { ruleTimer.set(at: due) } else { ruleTimer.cancel() }
            }
        }
    }

    private func ask(about program: String) {
        let place = RelativePath.common(openings.values.filter { $0.program == program }.map(\.path.parent)) ?? .root
        let known = node(at: place).flatMap { items.presentation(of: $0)?.contents }
        let name = place.name.map { String(decoding: $0.bytes, as: UTF8.self) } ?? items.folder.label
        notices.ask(
            about: program, files: rule.extent(of: program)?.files ?? 0, place: name, bytes: known?.bytesAway ?? 0)
    }

    // MARK: Demands

    private func demand(_ fetch: FetchNumber) {
        guard let opening = openings[fetch] else { return }
        guard let node = node(at: opening.path) else { return fail(fetch, .noSuchFileOrDirectory) }
        var isOver = false
        let id = demands.make(Demand(.here, node, isOpening: true)) { [weak self] report in
            guard case .ended(let end, _) = report else { return }
            isOver = true
            self?.ended(fetch, end)
        }
        if !isOver { openings[fetch]?.demand = id }
    }

    private func ended(_ fetch: FetchNumber, _ end: DemandEnd) {
        guard let opening = openings[fetch] else { return }
        openings[fetch]?.demand = nil
        switch end {
        case .done:
            notices.remoteIsBack()
            // Who waits was let in when the contents arrived. If they were thought to be here, who waits must not.
            fail(fetch, .ioError)
        case .withdrawn: fail(fetch, .ioError)
        case .failed(let failure) where failure.reason == .interrupted && opening.attempts < Self.attemptsAtMost:
            openings[fetch]?.attempts += 1
            tryAgainSoon(fetch)
        case .failed(let failure) where failure.mayBeOfTheRemote && !isRemoteAway && opening.attempts == 0:
            // A remote that went just now is noticed by such a failure: then it is what who waits is told.
            openings[fetch]?.attempts += 1
            tryAgainSoon(fetch)
        case .failed(let failure):
            let error = failure.errno(isRemoteAway: isRemoteAway)
            if error == .networkUnreachable {
                let name = opening.path.name.map { String(decoding: $0.bytes, as: UTF8.self) }
                notices.couldNotReach(name ?? items.folder.label, for: opening.program)
            }
            fail(fetch, error)
            if error == .networkUnreachable { tryRemote() }
        }
    }

    /// Somebody wants to use the remote: it is tried again, so that the next one need not wait for its turn.
    private func tryRemote() {
        guard isRemoteAway, triedRemote.map({ Instant.now >= $0 + Patience.Worker.remoteQuestion }) ?? true else {
            return
        }
        triedRemote = .now
        engine.command(.syncNow)
    }

    /// Whether the remote cannot be reached.
    private var isRemoteAway: Bool {
        switch engine.status.phase {
        case .offline: true
        case .stopped: engine.status.stopReason == .remoteMissing
        case .idle, .looking, .syncing, .paused, .confirmDeletes: false
        }
    }

    private func fail(_ fetch: FetchNumber, _ error: Errno) {
        openings[fetch] = nil
        contents.fail(fetch, error)
        handle(.ended(fetch))
    }
}

extension RelativePath {
    /// The deepest directory that holds all of these, or is one of them; nil for none.
    static func common(_ paths: some Sequence<RelativePath>) -> RelativePath? {
        paths.reduce(nil) { common, path in
            guard let common else { return path }
            return RelativePath(zip(common.names, path.names).prefix { $0 == $1 }.map(\.0))
        }
    }
}
