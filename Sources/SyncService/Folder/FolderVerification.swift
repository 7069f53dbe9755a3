internal import Dispatch
internal import Glibc
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import Synchronization

/// A running comparison of one folder, on a thread of its own.
///
/// @unchecked: confined to the control loop; the thread only holds the reference, to post it there.
final class FolderVerification: @unchecked Sendable {
    /// Calls to the folder, made on the loop.
    struct Folder {
        /// Calls `done` when all changes so far were reported to the folder and no effect runs.
        var settle: (_ done: @escaping () -> Void) -> Void
        /// What the folder knows about items that looked different.
        var standings: ([Suspect]) -> [Standing]
    }

    private let control: LoopControl
    private var folder: Folder?
    private var onProgress: ((VerificationResult) -> Void)?
    private var verification: Verification?

    /// The nice value, see nice(2): syncing has priority.
    private static let niceness: Int32 = 10

    init(control: LoopControl, folder: Folder, onProgress: @escaping (VerificationResult) -> Void) {
        self.control = control
        self.folder = folder
        self.onProgress = onProgress
    }

    /// Starts the comparison; `onFinished` gets the result, on the loop. The object lives until then.
    func start(
        _ engine: SyncEngine.SyncFolder, _ excludes: ExcludePatterns, at path: RelativePath,
        _ onFinished: @escaping (Result<VerificationResult, EffectFailure>) -> Void
    ) {
        let verification = Verification(
            local: engine.local, remote: engine.remote, excludes: excludes, folder: self)
        self.verification = verification
        // It runs on the loop, where it was created.
        nonisolated(unsafe) let finished = onFinished
        Task(executorPreference: WorkThreads(limit: 1, begin: Self.beginNicely)) { [self] in
            let result: Result<VerificationResult, EffectFailure>
            do throws(EffectFailure) {
                result = .success(try await verification.run(at: path))
            } catch {
                result = .failure(error)
            }
            control.post { [self] in
                (folder, onProgress) = (nil, nil)
                finished(result)
            }
        }
    }

    /// Starts a thread with low priority.
    private static func beginNicely(_ work: @escaping @Sendable () -> Void) {
        do {
            try DetachedThread.start("verify") {
                _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness)
                work()
            }
        } catch {
            // No such thread can be started. An ordinary queue waits until a thread is available.
            WorkThreads.ordinary(work)
        }
    }

    /// Cancels the comparison, which ends as soon as the sides allow it.
    func cancel() {
        verification?.cancel()
        (folder, onProgress) = (nil, nil)
    }
}

extension FolderVerification: VerifiedFolder {
    func settle() {
        let done = DispatchSemaphore(value: 0)
        control.post { [self] in
            guard let folder else { return _ = done.signal() }
            folder.settle { done.signal() }
        }
        _ = done.wait(timeout: .now() + Patience.Verification.folder / .seconds(1))
    }

    func standings(of suspects: [Suspect]) -> [Standing] {
        let box = AnswerBox()
        control.post { [self] in box.put(folder?.standings(suspects) ?? []) }
        return box.take(within: Patience.Verification.loop)
    }

    func report(_ progress: VerificationResult) {
        control.post { [self] in onProgress?(progress) }
    }
}

/// A response of the loop that another thread waits for.
private final class AnswerBox: Sendable {
    private let answer = Mutex<[Standing]>([])
    private let isThere = DispatchSemaphore(value: 0)

    func put(_ standings: [Standing]) {
        answer.withLock { $0 = standings }
        isThere.signal()
    }

    /// The response; empty if it does not arrive in time.
    func take(within patience: Duration) -> [Standing] {
        guard isThere.wait(timeout: .now() + patience / .seconds(1)) == .success else { return [] }
        return answer.withLock { $0 }
    }
}
