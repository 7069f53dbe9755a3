internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// Starts comparisons of the two sides of one folder.
final class FolderVerifier {
    private let engine: SyncFolder
    private let runs: FolderRuns
    private let explainer: Explainer
    private let control: LoopControl
    private let flush: (@escaping () -> Void) -> Void

    /// - Parameter flush: Waits until all changes made so far were reported to the folder.
    init(
        _ engine: SyncFolder, _ runs: FolderRuns, _ explainer: Explainer, control: LoopControl,
        flush: @escaping (@escaping () -> Void) -> Void
    ) {
        (self.engine, self.runs, self.explainer) = (engine, runs, explainer)
        (self.control, self.flush) = (control, flush)
    }

    /// Starts to compare the items at a path on both sides; `onFinished` gets the result.
    ///
    /// - Parameter onProgress: Called with the result so far and, if the path is the root, the total number of bytes.
    func start(
        at path: RelativePath, _ excludes: ExcludePatterns,
        onProgress: @escaping (VerificationResult, _ total: Int64?) -> Void,
        _ onFinished: @escaping (Result<VerificationResult, WorkerError>) -> Void
    ) throws(WorkerError) -> FolderVerification {
        if let standstill { throw .cannotVerify(standstill.code, explainer.sentence(standstill.reason)) }
        let total = path.isRoot ? (try? engine.store.counts(.root))?.bytes : nil
        let folder = FolderVerification.Folder { [weak self] done in
            guard let self else { return done() }
            flush { [weak self] in
                guard let self else { return done() }
                runs.whenAtRest(done)
            }
        } standings: { [weak self] suspects in
            self?.engine.standings(of: suspects) ?? []
        }
        let verification = FolderVerification(control: control, folder: folder) { onProgress($0, total) }
        verification.start(engine, excludes, at: path) { [weak self, explainer] result in
            self?.engine.letGo()
            onFinished(result.mapError { .cannotVerify(.failed, explainer.sentence($0.message)) })
        }
        return verification
    }

    /// Why the sides cannot be compared now; nil if they can.
    private var standstill: (code: RoundelError.Code, reason: Explanation)? {
        let reason = engine.status.message
        switch engine.status.phase {
        case .offline: return (RemoteKinds.code(of: reason)?.absence == .login ? .loginNeeded : .failed, reason)
        // A restored remote is available, and both sides are available while deletions wait.
        case .stopped: return engine.status.stopReason == .remoteRestored ? nil : (.answerNeeded, reason)
        case .idle, .looking, .syncing, .paused, .confirmDeletes: return nil
        }
    }
}

extension WorkerError {
    /// - Parameter sentence: The reason, as shown for the folder.
    fileprivate static func cannotVerify(_ code: Code, _ sentence: String) -> WorkerError {
        WorkerError(code, tr("Nothing can be compared. {1}", sentence))
    }
}
