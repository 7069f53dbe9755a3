internal import DBus
internal import RoundelBus
internal import Support
internal import SyncEngine
internal import SystemPackage

/// The mount of one folder on demand: has its directories made ready and its program started, again when that ends.
final class FolderMount {
    private let id: String
    private let directories: MountDirectories
    private let runner: MountRunner
    private let blocking: BlockingWork
    /// Has the worker's end of the folder connect; gives whether it answers. May block.
    private let ask: @Sendable () -> Bool
    private var life = MountLife()
    private var waiting: [() -> Void] = []
    private var isAsking = false
    private let loop: EventLoop
    private lazy var timer = loop.makeTimer { [weak self] in self?.handle(.timer) }
    /// Why the folder is not there; nil if it is, or if that is not known.
    private(set) var trouble: String?
    /// What is still to be done with the directories; nil once the folder is what it is to be.
    private var step: OnDemandSettings.Step?

    /// Called when the folder comes and goes.
    var onChange: (_ isThere: Bool) -> Void = { _ in }
    /// Called when the directories are as they are to be, after a change.
    var onStepDone: () -> Void = {}

    /// - Parameter ask: Has the worker's end of the folder connect; gives whether it answers. May block.
    init(
        _ id: String, _ directories: MountDirectories, step: OnDemandSettings.Step?, runner: MountRunner,
        blocking: BlockingWork, loop: EventLoop, ask: @escaping @Sendable () -> Bool
    ) {
        (self.id, self.directories, self.step, self.runner) = (id, directories, step, runner)
        (self.blocking, self.loop, self.ask) = (blocking, loop, ask)
    }

    /// Whether the folder is mounted and answers.
    var isThere: Bool { life.isThere }

    /// Whether it is to be mounted: not while it is left as it is, at the end and before the computer sleeps.
    var isWanted: Bool { life.isWanted }

    /// Has the folder mounted from now on. Calls `done` once it is there, or could not be had at first.
    func begin(_ done: @escaping () -> Void) {
        if isThere { return done() }
        waiting.append(done)
        handle(.wanted)
    }

    /// Leaves the folder as it is: mounted, if it is.
    func end() {
        handle(.unwanted)
        release()
    }

    /// The folder is not mounted, and is not to be, for this reason.
    func isKeptAway(because reason: String) {
        trouble = reason
        onChange(false)
    }

    /// The worker's end of the folder is connected, or not any more.
    func connectionChanged(_ isConnected: Bool) { handle(isConnected ? .answered : .fellSilent) }

    // MARK: Doing

    private func handle(_ event: MountLife.Event) {
        for action in life.handle(event, at: .now) {
            switch action {
            case .prepare: prepare()
            case .start:
                runner.start(id) { [weak self] in self?.handle(.failed($0)) }
            case .ask: askOnce()
            case .setTimer(let due): timer.set(at: due)
            case .cancelTimer: timer.cancel()
            case .come:
                trouble = nil
                onChange(true)
                release()
            case .goAway(let reason):
                trouble = reason
                if let reason { log(.warning, "The folder \(id) is not mounted: \(reason)") }
                onChange(false)
                release()
            }
        }
    }

    private func release() {
        let callbacks = waiting
        waiting = []
        for callback in callbacks { callback() }
    }

    private func prepare() {
        let (directories, step) = (directories, step)
        switch step {
        case .turningOn, nil: break
        // Whoever began that carries it out.
        case .turningOff, .removing: return handle(.failed(WorkerError.becomesOrdinary(directories.folder).message))
        }
        blocking.run(within: Patience.Worker.places, { directories.carryOut(step) }) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.isMounted), .success(.isOrdinary):
                handle(.failed(MountDirectories.Trouble.contentsMissing.sentence))
            case .success(.isReady):
                if self.step != nil {
                    self.step = nil
                    onStepDone()
                }
                handle(.prepared)
            case .failure(let trouble): handle(.failed(trouble.sentence))
            case nil: handle(.failed(WorkerError.noAnswer(directories.folder).message))
            }
        }
    }

    private func askOnce() {
        guard !isAsking else { return }
        isAsking = true
        let ask = ask
        let isBegun = blocking.run(ask) { [weak self] answers in
            self?.isAsking = false
            if answers { self?.handle(.answered) }
        }
        if !isBegun { isAsking = false }
    }
}

extension WorkerError {
    /// Nothing is synced in a folder on demand whose directories are to be moved back.
    static func becomesOrdinary(_ folder: FilePath) -> WorkerError {
        WorkerError(
            .failed,
            tr(
                "“{1}” becomes an ordinary folder or is being removed, so it is not synced now.",
                ShownPath.short(folder)))
    }
}

extension MountDirectories.Trouble {
    /// What is wrong, and what to do.
    var sentence: String {
        switch self {
        case .contentsMissing:
            tr("The directory with what is on this computer is missing. Bring it back, or remove the folder.")
        case .folderMissing: tr("The folder is missing. Bring it back, or remove it.")
        case .placeholdersLeft: tr("The contents of some files are on the remote only. Download them, then try again.")
        case .system(let path, let error): tr("“{1}” cannot be used: {2}.", ShownPath.short(path), "\(error)")
        }
    }
}
