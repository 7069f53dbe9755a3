internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// One call of Preview. It lives until it is answered.
final class PreviewCall {
    private let call: MethodCall
    private let folder: NewFolder
    private let patience: Duration
    private unowned let service: Worker
    private let places: WorkerPlaces
    private var isAnswered = false

    /// The longest that one call counts, in seconds.
    private static let longest: UInt32 = 60

    /// Starts to count; the call is answered at the end.
    static func begin(
        _ call: MethodCall, _ folder: NewFolder, seconds: UInt32?, _ service: Worker
    ) throws(WorkerError) {
        let preview = PreviewCall(call, folder, .seconds(max(1, min(seconds ?? 10, longest))), service)
        guard service.previews.keep(preview) else { throw .tooMuchWaits }
        service.placement.examine(folder) {
            preview.count()
        } failed: {
            preview.fail($0)
        }
    }

    private init(_ call: MethodCall, _ folder: NewFolder, _ patience: Duration, _ service: Worker) {
        (self.call, self.folder, self.patience, self.service) = (call, folder, patience, service)
        places = service.places
    }

    private func count() {
        let (remote, path, creates) = (folder.remote, folder.uri.filePath, folder.creates)
        let patterns = ExcludePatterns(folder.excludes.map { Array($0.utf8) })
        let use = RemoteUse(
            owner: EntryName(folder.id) ?? .root,
            transfers: TransferLedger(at: places.state.appending("preview.sqlite")))
        let connection = remote.directory == nil ? remote.open(for: use) : nil
        let walk = PreviewWalk(
            PreviewTally(patterns, isUploadOnly: folder.uploadOnly != nil),
            local: { try? PlainTree(at: path).list($0) },
            remote: { [directory = remote.directory, remote = connection?.remote] place in
                if let directory { return try? PlainTree(at: directory).list(place) }
                return if let remote { await PreviewWalk.list(place, of: remote) } else { nil }
            })
        let (isUploadOnly, threads) = (folder.uploadOnly != nil, WorkThreads(limit: 4))
        let isBegun = service.blocking.ask { () -> Result<Bool, RemoteRefusal> in
            // A disk that does not answer must not block a thread that all tasks share.
            await withTaskExecutorPreference(threads) {
                var sides: Set<Side> = DiskRoom(near: path) == nil ? [] : [.local]
                do throws(RemoteRefusal) {
                    // Which of the sides cannot be asked, and why, is said before anything is counted.
                    _ = try await remote.directories(in: .root, most: 1)
                    if !isUploadOnly { sides.insert(.remote) }
                } catch {
                    let isMade = creates && (error.reason == .missing || remote.directory != nil)
                    if !isMade { return .failure(error) }
                }
                let room = Self.existing(path).flatMap { DiskRoom(near: $0) }
                walk.note(free: room?.free, available: await remote.available())
                return .success(await walk.run(on: sides))
            }
        } answer: { [self] result in
            withExtendedLifetime(connection) {
                switch result {
                case .success(let isWhole): answer(walk.counted, isWhole: isWhole)
                case .failure(let refusal): fail(WorkerError(refusal, folder: folder.label))
                }
            }
            service.previews.letGo(self)
        }
        guard isBegun else { return fail(.tooMuchWaits) }
        // It runs on the loop, where it was created.
        nonisolated(unsafe) let overdue: () -> Void = { [self] in
            walk.stop()
            answer(walk.counted, isWhole: false)
        }
        service.control.post(after: patience) { overdue() }
    }

    /// The directory, or the nearest one above it that exists.
    private static func existing(_ path: FilePath) -> FilePath? {
        var path = path
        while DiskRoom(near: path) == nil, path.removeLastComponent() {}
        return path
    }

    private func answer(_ counted: SyncPreview, isWhole: Bool) {
        guard !isAnswered else { return }
        isAnswered = true
        var result = counted
        result.isPartial = !isWhole
        call.reply { writer in
            try writer.append(map: result.map)
            try writer.appendNoExtras()
        }
    }

    private func fail(_ error: WorkerError) {
        service.previews.letGo(self)
        guard !isAnswered else { return }
        isAnswered = true
        call.fail(error.busError)
    }
}
