internal import Dispatch
internal import Glibc
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import Synchronization

/// One folder being compared, on a thread of its own.
///
/// @unchecked: confined to the control loop; the thread only holds the reference, to post it there.
final class FolderVerification: @unchecked Sendable {
    /// What the folder does for it, on the loop.
    struct Folder {
        /// Calls back when what changed up to now was reported to it and nothing is in flight.
        var settle: (_ done: @escaping () -> Void) -> Void
        /// What it knows about items that did not look the same.
        var standings: ([Suspect]) -> [Standing]
    }

    private let control: LoopControl
    private var folder: Folder?
    private var onProgress: ((VerificationResult) -> Void)?
    private var verification: Verification?

    /// How long it waits for the folder to come to rest: what is then in flight is not judged.
    private static let patience = DispatchTimeInterval.seconds(5)
    /// How long the loop may take for an answer. It waits for nothing itself.
    private static let patienceOfLoop = DispatchTimeInterval.seconds(30)
    /// nice(2): the sync goes first.
    private static let niceness: Int32 = 10

    init(control: LoopControl, folder: Folder, onProgress: @escaping (VerificationResult) -> Void) {
        self.control = control
        self.folder = folder
        self.onProgress = onProgress
    }

    /// Begins; `onFinished` gets the result, on the loop. Until then it lives.
    func start(
        _ engine: SyncEngine.SyncFolder, _ excludes: ExcludePatterns, at path: RelativePath,
        _ onFinished: @escaping (Result<VerificationResult, EffectFailure>) -> Void
    ) {
        let verification = Verification(
            local: engine.local, remote: engine.remote, excludes: excludes, folder: self)
        self.verification = verification
        // Runs on the loop, where it was made.
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

    /// Begins a thread that stands back behind others.
    private static func beginNicely(_ work: @escaping @Sendable () -> Void) {
        do {
            try DetachedThread.start("verify") {
                _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness)
                work()
            }
        } catch {
            // Out of threads of its own kind; an ordinary one waits until there is one.
            WorkThreads.ordinary(work)
        }
    }

    /// Gives it up: it ends as soon as the sides let it.
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
        _ = done.wait(timeout: .now() + Self.patience)
    }

    func standings(of suspects: [Suspect]) -> [Standing] {
        let box = AnswerBox()
        control.post { [self] in box.put(folder?.standings(suspects) ?? []) }
        return box.take(within: Self.patienceOfLoop)
    }

    func report(_ progress: VerificationResult) {
        control.post { [self] in onProgress?(progress) }
    }
}

/// An answer of the loop that another thread waits for.
private final class AnswerBox: Sendable {
    private let answer = Mutex<[Standing]>([])
    private let isThere = DispatchSemaphore(value: 0)

    func put(_ standings: [Standing]) {
        answer.withLock { $0 = standings }
        isThere.signal()
    }

    /// None if it does not come in time.
    func take(within patience: DispatchTimeInterval) -> [Standing] {
        guard isThere.wait(timeout: .now() + patience) == .success else { return [] }
        return answer.withLock { $0 }
    }
}
