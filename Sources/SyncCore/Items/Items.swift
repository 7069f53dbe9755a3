/// The items of a folder: their rows in the three trees, their states, and what a person sees of them.
///
/// Rows and states are changed only here, so that the counts of the directories above follow, and so that every change
/// that a person can see is reported after the event.
struct Items {
    /// What a person sees of an item.
    private struct Appearance: Hashable {
        var parent: NodeID
        var name: EntryName
        var state: ItemSyncState?
        var progress: UInt8?
    }

    /// May be read directly; rows and states are written only through the methods here.
    let store: any TreeStore
    /// Tells this installation's conflict copies from others'.
    private let tag: String
    private var clock = SteadyClock()
    /// The time of the event that is handled; nothing asks for it before the first one.
    private(set) var now = Moment(instant: .now, unixSeconds: 0)
    /// The same in seconds since 1970, which do not jump while the session lives.
    private(set) var seconds: Int64 = 0

    /// Which items are to be planned next.
    var agenda: Agenda
    /// Which of them do not wait for the end of a scan.
    var urgent = UrgentItems()
    /// Which items are left alone for a while.
    var blocks = Blocks()
    /// Where file systems are mounted.
    var mounts = Mounts()
    /// Directories of the remote in which nothing is to be looked for while they have the same tag.
    private(set) var tags = DirectoryTags()
    /// Files that are back at an earlier version.
    var restored = RestoredFiles()
    /// What the user decided about conflicts, by the copy; kept in the store as well.
    private(set) var choices: [NodeID: ConflictChoice] = [:]

    /// Whether the user paused the folder.
    var isPaused: Bool
    /// What the root shows, or worse, while the folder cannot go on.
    var standstill: ItemSyncState?
    private var counts = DirectoryCounts()
    private var progress = OperationProgress()
    /// Items that were recorded as synced, and directories that they left, since both sides were made durable last.
    private var recorded: Set<NodeID> = []
    /// Whether a barrier is under way for what was recorded before.
    private var isBehindBarrier = false
    /// Directories that got another id, and on which side, since that was asked for last.
    private var renumbered: [(side: Side, old: NodeID, new: NodeID)] = []
    /// What a person saw, before the event, of items that may have changed.
    private var before: [NodeID: Appearance] = [:]

    init(store: any TreeStore, configuration: SessionConfiguration) {
        self.store = store
        tag = configuration.tag
        agenda = Agenda(limit: configuration.operationLimit * 2)
        isPaused = configuration.isPaused
    }

    /// An event comes.
    mutating func begin(at now: Moment) throws {
        self.now = now
        seconds = clock.seconds(at: now)
        // The root shows whatever stops the folder, although its row does not change.
        try remember(.root)
    }

    /// Decides as of now.
    var planner: Planner { Planner(store: store, tag: tag, now: now, held: restored.returned) }

    // MARK: Committing

    /// Makes everything that was written so far durable.
    ///
    /// What is recorded as synced has to be durable on both sides before: a file that a power cut takes from one of them
    /// would look deleted by a person. While that is not known, nothing is committed; it is with the next commit after
    /// the barrier.
    mutating func commit() throws {
        guard isSettled else { return }
        try counts.flush(to: store)
        try store.commit()
    }

    /// Whether everything that was recorded as synced is durable on both sides.
    var isSettled: Bool { recorded.isEmpty && !isBehindBarrier }

    /// How many items have to be made durable before the next commit.
    var recordedCount: Int { recorded.count }

    /// Hands over what has to be made durable; nothing is committed before `endBarrier`.
    mutating func takeRecorded() -> Set<NodeID> {
        isBehindBarrier = true
        defer { recorded = [] }
        return recorded
    }

    /// What was handed over is durable.
    mutating func endBarrier() { isBehindBarrier = false }

    /// The entries of this directory changed on both sides, and both agree.
    mutating func noteAgreement(in directory: NodeID) { recorded.insert(directory) }

    // MARK: Rows

    /// Writes a row; the counts of the directories above follow the item to its new place.
    mutating func write(_ node: Node, in tree: Tree) throws {
        if tree == .synced {
            try keepEarlier(of: node)
            recorded.insert(node.id)
        }
        try noteChange(of: node.id, in: tree)
        try change(node.id) { try $0.put(node, in: tree) }
        try noteChange(of: node.id, in: tree)
        mounts.set(node.id, node.isMountRoot, in: tree)
    }

    /// The engine itself made an object on a side, which is this item: what had its identity before is gone. Where numbers
    /// are given again, nothing else tells the two apart.
    mutating func noteMade(_ version: Version, as id: NodeID, on side: Side) throws {
        if version.identity.isEmpty { return }
        for var row in try store.nodes(withIdentity: version.identity, on: side) where row.id != id {
            row[side]?.identity = .none
            try write(row, in: side.tree)
        }
    }

    /// Removes a row; the status of an item without any row goes too.
    mutating func erase(_ id: NodeID, from tree: Tree) throws {
        try noteChange(of: id, in: tree)
        try change(id) { try $0.remove(id, from: tree) }
        mounts.set(id, false, in: tree)
        if try !isKnown(id) { try forget(id) }
    }

    /// What an item without any row is forgotten with: its status, and whatever else was kept of it.
    mutating func forget(_ id: NodeID) throws {
        if let other = try store.status(id)?.counterpart { try endConflict(of: other) }
        try setStatus(nil, for: id)
        try store.setEarlierVersions([], of: id)
        restored.remove(id)
        blocks.remove(id)
    }

    /// Gives a row another id; the counts of what is below go with it.
    mutating func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) throws {
        try remember(old)
        try remember(new)
        for id in [old, new] { try shift(try total(of: id), from: try home(of: id), to: nil) }
        try noteChange(of: old, in: tree)
        try store.renumber(old, to: new, in: tree)
        mounts.renumber(old, to: new, in: tree)
        let below = try counts(of: old)
        counts.set(StateCounts(), of: old)
        counts.set(below + (try counts(of: new)), of: new)
        for id in [old, new] { try shift(try total(of: id), from: nil, to: try home(of: id)) }
    }

    /// A directory has another id from now on.
    mutating func noteRenumbered(_ old: NodeID, as new: NodeID, on side: Side) { renumbered.append((side, old, new)) }

    /// Hands over which directories got another id, the first of them first.
    mutating func takeRenumbered() -> [(side: Side, old: NodeID, new: NodeID)] {
        if renumbered.isEmpty { return [] }
        defer { renumbered = [] }
        return renumbered
    }

    private mutating func change(_ id: NodeID, _ body: (any TreeStore) throws -> Void) throws {
        try remember(id)
        let (before, old) = (try total(of: id), try home(of: id))
        try body(store)
        let (after, new) = (try total(of: id), try home(of: id))
        if old != new {
            try shift(before, from: old, to: nil)
            try shift(after, from: nil, to: new)
        } else if before != after {
            try add(after - before, above: new)
        }
    }

    // MARK: Tags of directories

    /// Other names may be synced than when directories got their tags.
    mutating func loadTags(excluding excludes: ExcludePatterns) throws {
        try tags.load(from: store, excluding: excludes)
    }

    /// A scan of everything begins.
    mutating func beginScan() { tags.beginScan() }

    /// Everything at the remote is to be listed again.
    mutating func forgetTags() throws { try tags.removeAll(from: store) }

    /// A directory of the remote was listed with nothing new in it. See ``DirectoryTags``.
    mutating func noteUnchanged(_ directory: NodeID, at tag: Token, except open: Set<NodeID>) throws {
        try tags.noteUnchanged(directory, at: tag, except: open, in: store)
    }

    private mutating func noteChange(of id: NodeID, in tree: Tree) throws {
        if tree == .remote { try tags.noteChange(of: id, in: store) }
    }

    // MARK: Counts

    /// What is not plainly synced below a directory.
    func counts(of directory: NodeID) throws -> StateCounts {
        try counts.counts(of: directory, in: store)
    }

    /// What an item and all that is shown below it add to the counts above.
    private func total(of id: NodeID) throws -> StateCounts {
        try own(id, try store.status(id)) + counts(of: id)
    }

    /// What an item itself adds to the counts above, with this status.
    func own(_ id: NodeID, _ status: NodeStatus?) throws -> StateCounts {
        var own = Self.contribution(of: status)
        if status?.state != .excluded { own.bytes = try size(of: id) }
        return own
    }

    private static func contribution(of status: NodeStatus?) -> StateCounts {
        guard let status else { return StateCounts() }
        switch status.state {
        case .pending: return StateCounts(pending: 1, bytesToDo: status.bytes)
        case .conflict: return StateCounts(conflicts: 1)
        case .error: return StateCounts(errors: 1)
        case .excluded, .synced, .onlineOnly, .syncing, .paused: return StateCounts()
        }
    }

    /// Takes counts from a directory and those above it, and adds them to another one.
    private mutating func shift(_ counts: StateCounts, from old: NodeID?, to new: NodeID?) throws {
        if counts.isZero { return }
        if let old { try add(StateCounts() - counts, above: old) }
        if let new { try add(counts, above: new) }
    }

    private mutating func add(_ delta: StateCounts, above directory: NodeID) throws {
        for id in try ancestors(from: directory) {
            try remember(id)
            counts.set(try counts(of: id) + delta, of: id)
        }
    }

    /// Sums up the sizes below each directory in a store of an earlier version, which has none. An item of both sides
    /// counts in the directory where it is shown.
    mutating func countSizes() throws {
        if try store.value(.sizes) != nil { return }
        for side in Side.allCases {
            var stack = [NodeID.root]
            while let directory = stack.popLast() {
                for id in try childIDs(of: directory, in: side.tree) {
                    stack.append(id)
                    if side == .remote, try store.node(id, in: .local) != nil { continue }
                    let bytes = try own(id, try store.status(id)).bytes
                    try shift(StateCounts(bytes: bytes), from: nil, to: try home(of: id))
                }
            }
        }
        try store.setValue([1], for: .sizes)
        try commit()
    }

    // MARK: Statuses

    mutating func setStatus(_ status: NodeStatus?, for id: NodeID) throws {
        let old = try store.status(id)
        if old == status { return }
        try remember(id)
        try store.setStatus(status, for: id)
        let delta = try own(id, status) - own(id, old)
        if !delta.isZero { try add(delta, above: try home(of: id)) }
    }

    /// Keeps or, with nil, forgets what the user decided about a conflict.
    ///
    /// - Parameter message: Why that came to nothing.
    mutating func setChoice(_ choice: ConflictChoice?, for copy: NodeID, message: Explanation = .nothing) throws {
        choices[copy] = choice
        guard var status = try store.status(copy), status.counterpart != nil else { return }
        status.choice = choice
        if status.state == .conflict { status.message = message }
        try setStatus(status, for: copy)
    }

    /// The conflict that was decided is not there any more.
    mutating func forgetChoice(_ copy: NodeID) { choices[copy] = nil }

    /// Decisions of an earlier session go on.
    mutating func loadChoices() throws {
        for state in [ItemSyncState.conflict, .error] {
            var last = NodeID.none
            while let id = try store.nodes(inState: state, after: last, limit: 1).first {
                last = id
                if let choice = try store.status(id)?.choice { choices[id] = choice }
            }
        }
    }

    // MARK: Activity

    /// Whether any item has an operation.
    var hasOperations: Bool { !progress.isEmpty }

    /// The item has an operation from now on, which does not run yet.
    mutating func addOperation(_ id: NodeID, bytes: Int64) { progress.add(id, bytes: bytes) }

    /// The item's operation runs from now on; a second time does nothing.
    mutating func beginOperation(_ id: NodeID) throws {
        guard let operation = progress[id], !operation.isRunning else { return }
        let ancestors = try ancestors(from: try home(of: id))
        for shown in [id] + ancestors { try remember(shown) }
        progress.begin(id, below: ancestors)
    }

    /// So many bytes of the item's transfer are done.
    mutating func advanceOperation(_ id: NodeID, to bytes: Int64) throws {
        try beginOperation(id)
        if progress[id] == nil { return }
        for shown in progress.affected(by: id) { try remember(shown) }
        progress.advance(id, to: bytes)
    }

    /// The item's operation is over.
    mutating func endOperation(_ id: NodeID) throws {
        if progress[id]?.isRunning == true {
            for shown in progress.affected(by: id) { try remember(shown) }
        }
        progress.remove(id)
    }

    // MARK: What a person sees

    /// What a person is to see of an item: its state, its progress and, where needed, a message.
    func presentation(of id: NodeID) throws -> ItemPresentation {
        let status = try store.status(id)
        var state = status?.state ?? .synced
        var (done, total): (Int64, Int64) = (0, 0)
        if let operation = progress[id] {
            if operation.isRunning && state < .conflict { state = .syncing }
            (done, total) = (operation.bytesDone, operation.bytesTotal)
        }
        let counts = try self.counts(of: id)
        if state != .excluded {
            state = max(state, Self.state(of: counts, isActive: progress.isRunning(below: id)))
        }
        if counts.bytes > 0 {
            done = counts.bytesDone &+ progress.bytesDone(below: id)
            total = counts.bytes
        }
        if isPaused && (state == .pending || state == .syncing) { state = .paused }
        // What is in a folder that cannot go on keeps its state; the folder itself says that something is wrong.
        if id == .root, let standstill { state = standstill == .error ? .error : max(standstill, state) }
        let progress: UInt8? =
            state == .syncing && total > 0 ? UInt8(Double(min(max(done, 0), total)) / Double(total) * 100) : nil
        return ItemPresentation(
            state: state, progress: progress, bytesDone: done, bytesTotal: total, message: status?.message ?? .nothing)
    }

    /// What a person is to see of an item for which the store has neither a status nor counts.
    func presentation(ofPlain id: NodeID) throws -> ItemPresentation {
        let isAtRest = progress[id] == nil && !progress.isRunning(below: id) && !counts.hasChanged(id)
        return isAtRest ? ItemPresentation(state: .synced) : try presentation(of: id)
    }

    private static func state(of counts: StateCounts, isActive: Bool) -> ItemSyncState {
        if counts.errors > 0 { return .error }
        if counts.conflicts > 0 { return .conflict }
        if isActive { return .syncing }
        return counts.pending > 0 ? .pending : .synced
    }

    /// Keeps what a person sees of an item before it changes for the first time in this event.
    mutating func remember(_ id: NodeID) throws {
        if before[id] == nil { before[id] = try appearance(of: id) }
    }

    private func appearance(of id: NodeID) throws -> Appearance {
        guard let node = try store.node(id, in: .local) ?? store.node(id, in: .remote) else {
            return Appearance(parent: .none, name: .root, state: nil)
        }
        let shown = try presentation(of: id)
        return Appearance(parent: node.parent, name: node.name, state: shown.state, progress: shown.progress)
    }

    /// The items of which a person sees something else after the event; what is in a directory comes before it.
    mutating func stateChanges() throws -> [StateChange] {
        var changes: [(depth: Int, change: StateChange)] = []
        for (id, old) in before {
            let new = try appearance(of: id)
            if new == old { continue }
            let hasMoved = new.parent != old.parent || new.name != old.name
            if old.state != nil && hasMoved {
                changes.append((Int.max, StateChange(node: id, parent: old.parent, name: old.name, state: nil)))
            }
            if new.state != nil {
                let change = StateChange(
                    node: id, parent: new.parent, name: new.name, state: new.state, progress: new.progress)
                changes.append((try ancestors(from: new.parent).count, change))
            }
        }
        before.removeAll(keepingCapacity: true)
        changes.sort { ($0.depth, $0.change.node) > ($1.depth, $1.change.node) }
        return changes.map(\.change)
    }
}
