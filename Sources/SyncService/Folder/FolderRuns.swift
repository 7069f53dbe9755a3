internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The runs of one folder, and who waits for them.
final class FolderRuns {
    private let engine: SyncFolder
    private let explainer: Explainer
    private let network: FolderNetwork?
    private let loop: EventLoop
    /// The callbacks that wait for the end of a run.
    private var waiting: [(RunSummary) -> Void] = []
    /// What the runs did so far that started before this caller asked for the first one; nil once it asked.
    private var first: (caller: String, summary: RunSummary)?

    init(_ engine: SyncFolder, _ explainer: Explainer, network: FolderNetwork?, loop: EventLoop) {
        (self.engine, self.explainer, self.network, self.loop) = (engine, explainer, network, loop)
    }

    // MARK: The first run

    /// Counts what is synced for this caller, who will ask for the first run.
    func expectFirst(of caller: String) { first = (caller, RunSummary()) }

    /// The summary of a run that this caller waited for. If the caller added the folder and asks for the first time, it
    /// includes what was synced before.
    func summary(_ summary: RunSummary, for caller: String) -> RunSummary {
        guard let first, first.caller == caller else { return summary }
        self.first = nil
        return first.summary
    }

    // MARK: Waiting

    /// Calls `body` when the next run ends, whether it is running already or starts by itself.
    func whenEnded(_ body: @escaping (RunSummary) -> Void) { waiting.append(body) }

    /// Calls `body` when no effect runs: now, or after the current run.
    func whenAtRest(_ body: @escaping () -> Void) {
        switch engine.status.phase {
        case .looking, .syncing: waiting.append { _ in body() }
        case .idle, .paused, .offline, .stopped, .confirmDeletes: body()
        }
    }

    /// Determines what the next run would do, without doing it, once no effect runs.
    func rehearse(_ onFinished: @escaping (Result<[RehearsedStep], WorkerError>) -> Void) {
        whenAtRest { [self] in
            engine.rehearse { [explainer] result in
                onFinished(
                    result.mapError { error in
                        let failure = error as? StoreFailure
                        return WorkerError(
                            .failed,
                            tr(
                                "The dry run failed: {1}",
                                failure.map { explainer.sentence($0.explanation) } ?? "\(error)"))
                    })
            }
        }
    }

    // MARK: Ends

    /// Part of what the caller who asks for the first run gets, whenever it asks.
    func count(_ summary: RunSummary) {
        if let first { self.first = (first.caller, first.summary.followed(by: summary)) }
    }

    /// A folder that cannot continue ends no run. Callbacks that wait for one get the reason from the state.
    func halted() {
        // Nobody knows what is left.
        var run = RunSummary()
        run.waiting = 1
        ended(run)
    }

    /// Calls the callbacks that wait for a run, once its last states were reported as well.
    func ended(_ summary: RunSummary) {
        guard !waiting.isEmpty else { return }
        let callbacks = waiting
        waiting = []
        loop.atEndOfTurn { [self] in
            for callback in callbacks { callback(summary) }
            // A callback that waits again needs another run.
            if waiting.isEmpty { network?.handle(.answered) }
        }
    }
}
