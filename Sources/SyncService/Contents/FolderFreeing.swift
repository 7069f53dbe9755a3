internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// Frees contents of one folder by the person's rule: looks when something was written or fetched, and from time to time.
/// Without a rule it does nothing, and wakes nobody.
final class FolderFreeing {
    private let choices: FolderChoices
    private let engine: SyncFolder
    private let demands: FolderDemands
    /// The directory that keeps what is here.
    private let contents: FilePath
    private let blocking: BlockingWork
    private let control: LoopControl
    private var isLooking = false
    private var open: Set<DemandID> = []
    private var lookedAt: Instant?
    // The loop keeps timers that are set, also those of a folder that was removed.
    private let loop: EventLoop
    private lazy var timer = loop.makeTimer { [weak self] in self?.look() }

    /// How many items of the trees are looked at before others get their turn.
    private static let itemsAtOnce = 1_000

    init(
        _ choices: FolderChoices, engine: SyncFolder, demands: FolderDemands, contents: FilePath,
        _ surroundings: FolderSurroundings
    ) {
        (self.choices, self.engine, self.demands, self.contents) = (choices, engine, demands, contents)
        (blocking, control, loop) = (surroundings.blocking, surroundings.control, surroundings.loop)
    }

    private var rule: FreeingRule? { choices.settings.onDemand?.freeingRule }

    /// The rule may be another one, or the folder was started.
    func follow() {
        if rule == nil { timer.cancel() } else { timer.set(after: Patience.Worker.freeingSoon) }
    }

    /// Something was written or fetched, so that there may be too little room.
    func roomChanged() {
        guard rule?.roomToKeep != nil, !isLooking, open.isEmpty else { return }
        let due = max(
            .now + Patience.Worker.freeingSoon, lookedAt.map { $0 + Patience.Worker.leastFreeing } ?? .now)
        timer.set(at: due)
    }

    func stop() { timer.cancel() }

    // MARK: Looking

    private func look() {
        guard let rule, !isLooking, open.isEmpty else { return }
        isLooking = true
        lookedAt = .now
        let contents = contents
        let isBegun = blocking.run({ DiskRoom(near: contents) }) { [weak self] room in
            guard let self else { return }
            // Nothing is known of what was used when.
            guard let room, room.notesUse else { return finish() }
            let lacksRoom = rule.roomToKeep.map { room.free < $0 } ?? false
            guard lacksRoom || rule.longestUnused != nil else { return finish() }
            gather(from: [.root], [], rule, free: room.free)
        }
        if !isBegun { finish() }
    }

    private func finish() {
        isLooking = false
        if rule != nil { timer.set(after: Patience.Worker.freeing) }
    }

    /// Gathers the files whose contents are here and may go, a few directories at a time.
    private func gather(
        from directories: [NodeID], _ found: [(node: NodeID, path: RelativePath)], _ rule: FreeingRule, free: Int64
    ) {
        var (rest, files, looks) = (directories, found, 0)
        do {
            while let directory = rest.popLast() {
                let base = try engine.store.path(of: directory, in: .local) ?? .root
                var last: Node?
                while true {
                    let page = try engine.store.children(
                        of: directory, in: .local, after: last, limit: Self.itemsAtOnce)
                    for item in page where !item.isMissing {
                        if item.kind == .directory { rest.append(item.id) }
                        guard item.kind == .file, item.local?.residence == .here else { continue }
                        files.append((item.id, base.appending(item.name)))
                    }
                    looks += page.count
                    last = page.last
                    if page.count < Self.itemsAtOnce { break }
                }
                guard looks >= Self.itemsAtOnce else { continue }
                // It runs on the loop, where it was created.
                nonisolated(unsafe) let next = { [weak self, rest, files] in
                    self?.gather(from: rest, files, rule, free: free)
                    return ()
                }
                return control.post { next() }
            }
        } catch {
            return finish()
        }
        choose(FreeingCandidates(contents: contents, files: files), rule, free: free)
    }

    private func choose(_ candidates: FreeingCandidates, _ rule: FreeingRule, free: Int64) {
        let isBegun = blocking.run {
            rule.choice(from: candidates.look(), free: free, now: Int64(time(nil)))
        } _: { [weak self] chosen in
            self?.free(chosen)
        }
        if !isBegun { finish() }
    }

    /// What is pinned, open, or not at the remote stays: the engine refuses it.
    private func free(_ files: [NodeID]) {
        if files.isEmpty { return finish() }
        log(.info, "By the rule of \(choices.settings.label), contents are freed of so many files: \(files.count).")
        var next = files[...]
        func begin() {
            while open.count < Self.demandsAtOnce, let file = next.popFirst() { demand(file, begin) }
            if open.isEmpty && next.isEmpty && isLooking { finish() }
        }
        begin()
    }

    private static let demandsAtOnce = 16

    private func demand(_ file: NodeID, _ ended: @escaping () -> Void) {
        var isOver = false
        let id = demands.make(Demand(.away, file)) { [weak self] report in
            guard let self else { return }
            switch report {
            case .waits: break
            case .progress: break
            case .ended:
                isOver = true
                if let id = ids.removeValue(forKey: file) {
                    open.remove(id)
                    ended()
                }
            }
        }
        guard !isOver else { return }
        ids[file] = id
        open.insert(id)
    }

    private var ids: [NodeID: DemandID] = [:]
}
