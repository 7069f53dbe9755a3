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
    private let returningPins: ReturningPins
    /// Until the look is over, with all that it frees.
    private var isLooking = false
    private var isStopped = false
    private var found = FreeingLook()
    /// How many files are being freed.
    private var running = 0
    private var isBeginning = false
    private var lookedAt: Instant?
    // The loop keeps timers that are set, also those of a folder that was removed.
    private let loop: EventLoop
    private lazy var timer = loop.makeTimer { [weak self] in self?.look() }

    /// How many items of the trees are looked at before others get their turn.
    private static let itemsAtOnce = 1_000

    init(
        _ choices: FolderChoices, engine: SyncFolder, demands: FolderDemands, contents: FilePath,
        _ returningPins: ReturningPins, _ surroundings: FolderSurroundings
    ) {
        (self.choices, self.engine, self.demands, self.contents) = (choices, engine, demands, contents)
        self.returningPins = returningPins
        (blocking, control, loop) = (surroundings.blocking, surroundings.control, surroundings.loop)
    }

    private var rule: FreeingRule? { choices.settings.onDemand?.freeingRule }

    /// The rule may be another one, or the folder was started.
    func follow() {
        if rule == nil { timer.cancel() } else { timer.set(after: Patience.Worker.freeingSoon) }
    }

    /// Something was written or fetched, so that there may be too little room.
    func roomChanged() {
        guard rule?.roomToKeep != nil, !isLooking else { return }
        let due = max(
            .now + Patience.Worker.freeingSoon, lookedAt.map { $0 + Patience.Worker.leastFreeing } ?? .now)
        timer.set(at: due)
    }

    func stop() {
        isStopped = true
        timer.cancel()
    }

    // MARK: Looking

    private func look() {
        guard rule != nil, !isLooking else { return }
        isLooking = true
        lookedAt = .now
        guard isFreeingPossible else { return finish() }
        measure { [weak self] rule, free in
            guard let self else { return }
            let lacksRoom = rule.roomToKeep.map { free < $0 } ?? false
            guard lacksRoom || rule.longestUnused != nil else { return finish() }
            gather()
        }
    }

    /// Whether anything would go that is demanded to go.
    private var isFreeingPossible: Bool {
        switch engine.status.phase {
        case .idle, .looking, .syncing, .paused: true
        case .offline, .stopped, .confirmDeletes: false
        }
    }

    /// Passes on the rule and the room that is free now, or ends the look if nothing is to be freed by them.
    private func measure(_ body: @escaping (FreeingRule, Int64) -> Void) {
        let contents = contents
        let isBegun = blocking.run({ DiskRoom(near: contents) }) { [weak self] room in
            guard let self else { return }
            // Nothing is known of what was used when.
            guard let rule, let room, room.notesUse else { return finish() }
            body(rule, room.free)
        }
        if !isBegun { finish() }
    }

    private func finish() {
        isLooking = false
        found = FreeingLook()
        if rule != nil, !isStopped { timer.set(after: Patience.Worker.freeing) }
    }

    /// Gathers the files whose contents are here and may go, a few directories at a time.
    private func gather() {
        let wishes = (try? engine.store.wishes()) ?? [:]
        gather(from: [(.root, wishes[.root] == .alwaysHere)], [], wishes)
    }

    private func gather(
        from directories: [(node: NodeID, isPinned: Bool)], _ found: [(node: NodeID, path: RelativePath)],
        _ wishes: [NodeID: Wish]
    ) {
        var (rest, files, looks) = (directories, found, 0)
        do {
            while let directory = rest.popLast() {
                let base = try engine.store.path(of: directory.node, in: .local) ?? .root
                var last: Node?
                while true {
                    let page = try engine.store.children(
                        of: directory.node, in: .local, after: last, limit: Self.itemsAtOnce)
                    for item in page where !item.isMissing {
                        let isPinned = wishes[item.id].map { $0 == .alwaysHere } ?? directory.isPinned
                        if item.kind == .directory { rest.append((item.id, isPinned)) }
                        // What cannot go must not be chosen instead of what can.
                        guard item.kind == .file, item.local?.residence == .here, !isPinned else { continue }
                        let path = base.appending(item.name)
                        if !returningPins.cover(path) { files.append((item.id, path)) }
                    }
                    looks += page.count
                    last = page.last
                    if page.count < Self.itemsAtOnce { break }
                }
                guard looks >= Self.itemsAtOnce else { continue }
                // It runs on the loop, where it was created.
                nonisolated(unsafe) let next = { [weak self, rest, files] in
                    self?.gather(from: rest, files, wishes)
                    return ()
                }
                return control.post { next() }
            }
        } catch {
            return finish()
        }
        let candidates = FreeingCandidates(contents: contents, files: files)
        let isBegun = blocking.run({ candidates.look() }) { [weak self] eldestFirst in
            self?.found = FreeingLook(eldestFirst)
            self?.choose()
        }
        if !isBegun { finish() }
    }

    // MARK: Freeing

    /// Frees what the rule chooses of the files that were not tried yet. What is open, or not at the remote, stays: the
    /// engine refuses it, and others go instead.
    private func choose() {
        measure { [weak self] rule, free in
            guard let self else { return }
            let count = found.choose(by: rule, free: free, now: Int64(time(nil)))
            if count == 0 { return finish() }
            log(.info, "By the rule of \(choices.settings.label), contents are freed of so many files: \(count).")
            begin()
        }
    }

    private static let demandsAtOnce = 16

    /// Begins, or goes on. A demand may end at once.
    private func begin() {
        guard !isBeginning, !isStopped else { return }
        isBeginning = true
        while running < Self.demandsAtOnce, let file = found.next() {
            running += 1
            demands.make(Demand(.away, file.node)) { [weak self] report in
                guard let self, case .ended(let end, _) = report else { return }
                running -= 1
                found.ended(file, end)
                begin()
            }
        }
        isBeginning = false
        if running == 0 { choose() }
    }
}
