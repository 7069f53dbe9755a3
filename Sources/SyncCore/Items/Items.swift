/// The items of a folder: their rows in the three trees, their states, and how they are shown to the user.
///
/// Rows and states are changed only here, so that the counts of the ancestors follow, and every change that is visible
/// to the user is reported after the event.
struct Items {
    /// May be read directly; rows and states are written only through the methods here.
    let store: any TreeStore
    /// The most items that are removed from the remote together with their directory.
    let treeLimit: Int
    /// Distinguishes this installation's conflict copies from others'.
    private let tag: String
    private let author: String
    private var clock = SteadyClock()
    /// The time of the current event; not used before the first one.
    private(set) var now = Moment(instant: .now, unixSeconds: 0)
    /// The same in seconds since 1970, which do not jump during the session.
    private(set) var seconds: Int64 = 0

    /// The items that must be planned next.
    var agenda: Agenda
    /// Those of them that do not wait for the end of a scan.
    var urgent = UrgentItems()
    /// The items that are left alone for a while.
    var blocks: Blocks
    /// Directories of the remote that are not removed with everything in them: something in them must stay, or the remote did
    /// not remove them.
    private(set) var oneByOne: Set<NodeID> = []
    /// Items that could not be moved, and the items that stand for them at their new places.
    var copied = CopiedItems()
    /// Items of the remote that come with their contents.
    var brought = BroughtItems()
    /// How long the session waits on purpose.
    let pauses: SessionPauses
    /// Where file systems are mounted.
    var mounts = Mounts()
    /// The tags of remote directories, which need not be listed while their tag is unchanged.
    private(set) var tags = DirectoryTags()
    /// Files that returned to an earlier version.
    var restored = RestoredFiles()
    /// The user's decisions about conflicts, by the copy; also kept in the store.
    private(set) var choices: [NodeID: ConflictChoice] = [:]
    /// Where the user wants contents to be; also kept in the store.
    private(set) var wishes = Wishes()
    /// Whether files may be here without their contents.
    let isOnDemand: Bool
    /// The rules of a folder from which items are only uploaded; nil for any other folder.
    var uploads: UploadRules?
    /// What somebody wants done now with contents.
    var demands = Demands()
    /// What demands brought although a wish wants it at the remote alone.
    var fetched = FetchedFiles()

    /// Whether the user paused the folder.
    var isPaused: Bool
    /// The least state that the root shows while the folder is halted.
    var standstill: ItemSyncState?
    private var counts = DirectoryCounts()
    private var progress = OperationProgress()
    /// What was recorded as synced and is not certain to be durable.
    var recorded = RecordedItems()
    /// Directories whose id changed, and on which side, since they were last taken.
    private var renumbered: [(side: Side, old: NodeID, new: NodeID)] = []
    /// How items that may have changed looked before the event.
    private var before = Appearances()

    init(store: any TreeStore, configuration: SessionConfiguration) {
        self.store = store
        tag = configuration.tag
        author = ConflictName.author(on: configuration.computer, tag: configuration.tag)
        agenda = Agenda(limit: configuration.operationLimit * 2)
        treeLimit = configuration.treeLimit
        isPaused = configuration.isPaused
        isOnDemand = configuration.isOnDemand
        uploads = configuration.isUploadOnly ? UploadRules(trashesUploaded: configuration.trashesUploaded) : nil
        pauses = configuration.pauses
        blocks = Blocks(pauses: configuration.pauses)
    }

    /// Continues where an earlier session stopped.
    mutating func load(excluding excludes: ExcludePatterns) throws {
        try makeRoots()
        try noteDirection()
        try countSizes()
        try loadMounts()
        try copied.load(from: store, where: isKnown)
        try brought.load(from: store, where: isKnown)
        try loadWishes()
        try loadWithheld()
        try loadTags(excluding: excludes)
        try endErrorsOfDirectories()
        try endReasons()
        try loadChoices()
    }

    /// Begins an event.
    mutating func begin(at now: Moment) throws {
        self.now = now
        seconds = clock.seconds(at: now)
        // The root shows whatever halts the folder, although its row does not change.
        try remember(.root)
    }

    /// A planner that decides as of now.
    var planner: Planner {
        Planner(
            store: store, tag: tag, author: author, now: now, held: restored.returned, stuck: blocks.stuck,
            copied: copied.copies, hasTags: tags.hasAny, oneByOne: oneByOne, wishes: wishes, demanded: demands.aims,
            brought: brought.items, isOnDemand: isOnDemand, uploads: uploads)
    }

    /// Something in progress for an item ended: it and those that wait for it must be planned.
    mutating func release(_ id: NodeID) {
        agenda.release(id)
        urgent.release(id)
        demands.release(id)
    }

    // MARK: Committing

    /// Commits everything written so far.
    ///
    /// What is recorded as synced must be durable on both sides first: a file that one of them lost in a power failure
    /// would look deleted by the user. While that is not certain, nothing is committed; the next commit after the
    /// barrier does it.
    mutating func commit() throws {
        guard recorded.isSettled else { return }
        try counts.flush(to: store)
        try copied.keep(in: store)
        try brought.keep(in: store)
        try store.commit()
    }

    // MARK: Rows

    /// Writes a row; the counts of the ancestors follow the item to its new place.
    mutating func write(_ node: Node, in tree: Tree) throws {
        if tree == .synced {
            try keepEarlier(of: node)
            recorded.add(node.id)
            if node.withheld != nil && !hasWithheld { try noteWithheld() }
        }
        try noteChange(of: node.id, in: tree)
        try change(node.id, in: tree) { try $0.put(node, in: tree) }
        try noteChange(of: node.id, in: tree)
        mounts.set(node.id, node.isMountRoot, in: tree)
        if tree == .local { brought.remove(node.id) }
    }

    /// The remote tells something else of what may be done with an item, which is as it was.
    mutating func writeAccess(of row: Node) throws {
        try change(row.id, in: .remote) { try $0.put(row, in: .remote) }
    }

    /// Whether permissions to write were ever taken from an item because the remote does not let it be changed.
    private(set) var hasWithheld = false

    private mutating func noteWithheld() throws {
        hasWithheld = true
        try store.setValue([1], for: .withheld)
    }

    /// Loads whether that was so in earlier sessions.
    private mutating func loadWithheld() throws { hasWithheld = try store.value(.withheld) != nil }

    /// The engine created this item's object on a side: any other item with the same identity no longer exists. Where
    /// inode numbers are reused, nothing else distinguishes the two.
    mutating func noteMade(_ version: Version, as id: NodeID, on side: Side) throws {
        if version.identity.isEmpty { return }
        for var row in try store.nodes(withIdentity: version.identity, on: side) where row.id != id {
            row[side]?.identity = .none
            try write(row, in: side.tree)
        }
    }

    /// Removes a row, and the status of an item that has no rows left.
    mutating func erase(_ id: NodeID, from tree: Tree) throws {
        try noteChange(of: id, in: tree)
        try change(id, in: tree) { try $0.remove(id, from: tree) }
        mounts.set(id, false, in: tree)
        if try !isKnown(id) { try forget(id) }
    }

    /// Forgets an item without rows: its status and everything else stored about it.
    mutating func forget(_ id: NodeID) throws {
        if let other = try store.status(id)?.counterpart { try endConflict(of: other) }
        try setStatus(nil, for: id)
        try store.setEarlierVersions([], of: id)
        restored.remove(id)
        blocks.remove(id)
        blocks.endRefusedMove(of: id)
        oneByOne.remove(id)
        fetched.remove(id)
        copied.forget(id)
        brought.remove(id)
        try keepWish(.none, for: id)
    }

    /// A directory is not removed from the remote with everything in it.
    mutating func noteOneByOne(_ id: NodeID) { oneByOne.insert(id) }

    /// Both sides have the directory, or none has it.
    mutating func endOneByOne(_ id: NodeID) { oneByOne.remove(id) }

    /// Gives a row another id; the counts of its contents move with it.
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

    /// Notes that a directory has another id from now on.
    mutating func noteRenumbered(_ old: NodeID, as new: NodeID, on side: Side) { renumbered.append((side, old, new)) }

    /// Returns the directories whose id changed, in order.
    mutating func takeRenumbered() -> [(side: Side, old: NodeID, new: NodeID)] {
        if renumbered.isEmpty { return [] }
        defer { renumbered = [] }
        return renumbered
    }

    private mutating func change(_ id: NodeID, in tree: Tree, _ body: (any TreeStore) throws -> Void) throws {
        try remember(id)
        // What an item adds to the counts, and above which directories, does not depend on the base.
        if tree == .synced { return try body(store) }
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

    /// Loads the tags of directories; discards them if they were stored with other exclude patterns.
    mutating func loadTags(excluding excludes: ExcludePatterns) throws {
        try tags.load(from: store, excluding: excludes)
    }

    /// Begins a full scan.
    mutating func beginScan() { tags.beginScan() }

    /// Makes everything on the remote be listed again.
    mutating func forgetTags() throws { try tags.removeAll(from: store) }

    /// A directory of the remote was listed without any change. See ``DirectoryTags``.
    mutating func noteUnchanged(_ directory: NodeID, at tag: Token, except open: Set<NodeID>) throws {
        try tags.noteUnchanged(directory, at: tag, except: open, in: store)
    }

    private mutating func noteChange(of id: NodeID, in tree: Tree) throws {
        if tree == .remote { try tags.noteChange(of: id, in: store) }
    }

    // MARK: Counts

    /// Counts what is not simply synced below a directory.
    func counts(of directory: NodeID) throws -> StateCounts {
        try counts.counts(of: directory, in: store)
    }

    /// Counts what is not simply synced in the folder, the root itself included.
    func countsOfFolder() throws -> StateCounts {
        try counts(of: .root) + Self.contribution(of: store.status(.root))
    }

    /// What an item and everything shown below it add to the counts above.
    private func total(of id: NodeID) throws -> StateCounts {
        try own(id, try store.status(id)) + counts(of: id)
    }

    /// What an item itself adds to the counts above, with this status.
    func own(_ id: NodeID, _ status: NodeStatus?) throws -> StateCounts {
        var own = Self.contribution(of: status)
        if status?.state == .excluded { return own }
        let (local, remote) = (try store.node(id, in: .local), try store.node(id, in: .remote))
        guard let row = local ?? remote, row.kind == .file else { return own }
        own.files = 1
        own.bytes = max(local?.local?.size ?? 0, remote?.remote?.size ?? 0)
        if local?.local?.residence != .here { (own.filesAway, own.bytesAway) = (1, own.bytes) }
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

    /// Subtracts counts from a directory and its ancestors, and adds them to another one.
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

    /// Counts the files below each directory, and sums up their sizes, in a store of an earlier version, which has none of
    /// that. An item that exists on both sides counts in the directory where it is shown.
    private mutating func countSizes() throws {
        if try store.value(.sizes) != nil { return }
        for side in Side.allCases {
            var stack = [NodeID.root]
            while let directory = stack.popLast() {
                for id in try childIDs(of: directory, in: side.tree) {
                    stack.append(id)
                    if side == .remote, try store.node(id, in: .local) != nil { continue }
                    let own = try own(id, try store.status(id))
                    let sizes = StateCounts(
                        bytes: own.bytes, files: own.files, filesAway: own.filesAway, bytesAway: own.bytesAway)
                    try shift(sizes, from: nil, to: try home(of: id))
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
        let isExclusion = (old?.state == .excluded) != (status?.state == .excluded)
        let delta =
            isExclusion
            ? try own(id, status) - own(id, old) : Self.contribution(of: status) - Self.contribution(of: old)
        if !delta.isZero { try add(delta, above: try home(of: id)) }
    }

    /// Stores or, with nil, deletes the user's decision about a conflict.
    ///
    /// - Parameter message: Why the decision could not be carried out.
    mutating func setChoice(_ choice: ConflictChoice?, for copy: NodeID, message: Explanation = .nothing) throws {
        choices[copy] = choice
        guard var status = try store.status(copy), status.counterpart != nil else { return }
        status.choice = choice
        if status.state == .conflict { status.message = message }
        try setStatus(status, for: copy)
        for half in [copy, status.counterpart].compactMap(\.self) { try reviseWishes(from: half) }
    }

    /// Forgets the decision about a conflict that no longer exists.
    mutating func forgetChoice(_ copy: NodeID) { choices[copy] = nil }

    /// Loads the decisions of an earlier session.
    private mutating func loadChoices() throws {
        for state in [ItemSyncState.conflict, .error] {
            var last = NodeID.none
            while let id = try store.nodes(inState: state, after: last, limit: 1).first {
                last = id
                if let choice = try store.status(id)?.choice { choices[id] = choice }
            }
        }
    }

    /// Loads what the user said in earlier sessions.
    private mutating func loadWishes() throws { wishes = Wishes(try store.wishes()) }

    /// Keeps what the user wants of an item's contents.
    mutating func keepWish(_ wish: Wish, for id: NodeID) throws {
        if wishes[id] == wish { return }
        wishes[id] = wish
        try store.setWish(wish, for: id)
    }

    // MARK: Activity

    /// Whether the item has an operation that is running.
    func isRunning(_ id: NodeID) -> Bool { progress[id]?.isRunning == true }

    /// Whether the item has an operation, running or not.
    func hasOperation(_ id: NodeID) -> Bool { progress[id] != nil }

    /// Whether any item has an operation.
    var hasOperations: Bool { !progress.isEmpty }

    /// The item has an operation from now on, which is not running yet.
    mutating func addOperation(_ id: NodeID, bytes: Int64) { progress.add(id, bytes: bytes) }

    /// The item's operation is running from now on; a second call does nothing.
    mutating func beginOperation(_ id: NodeID) throws {
        guard let operation = progress[id], !operation.isRunning else { return }
        let ancestors = try ancestors(from: try home(of: id))
        for shown in [id] + ancestors { try remember(shown) }
        progress.begin(id, below: ancestors)
    }

    /// This many bytes of the item's transfer are done.
    mutating func advanceOperation(_ id: NodeID, to bytes: Int64) throws {
        try beginOperation(id)
        if progress[id] == nil { return }
        for shown in progress.affected(by: id) { try remember(shown) }
        progress.advance(id, to: bytes)
        demands.advance(id, to: bytes)
    }

    /// The item's operation is over.
    mutating func endOperation(_ id: NodeID) throws {
        if progress[id]?.isRunning == true {
            for shown in progress.affected(by: id) { try remember(shown) }
        }
        progress.remove(id)
    }

    // MARK: What the user sees

    /// How an item is shown to the user: its state, its progress and, if needed, a message.
    func presentation(of id: NodeID) throws -> ItemPresentation {
        let status = try store.status(id)
        var state = status?.state ?? .synced
        var (done, total): (Int64, Int64) = (0, 0)
        if let operation = progress[id] {
            if operation.isRunning && state < .conflict { state = .syncing }
            (done, total) = (operation.bytesDone, operation.bytesTotal)
        }
        let counts = try self.counts(of: id)
        let contents = try contents(of: id, status, counts)
        if state != .excluded {
            state = max(state, Self.state(of: counts, isActive: progress.isRunning(below: id)))
            if contents?.place == .away { state = max(state, .onlineOnly) }
        }
        if counts.bytes > 0 {
            done = counts.bytesDone &+ progress.bytesDone(below: id)
            total = counts.bytes
        }
        if isPaused && (state == .pending || state == .syncing) { state = .paused }
        // The items of a halted folder keep their states; the folder itself shows that something is wrong.
        if id == .root, let standstill { state = standstill == .error ? .error : max(standstill, state) }
        let progress: UInt8? =
            state == .syncing && total > 0 ? UInt8(Double(min(max(done, 0), total)) / Double(total) * 100) : nil
        return ItemPresentation(
            state: state, progress: progress, bytesDone: done, bytesTotal: total,
            // Why it waited is over while it is tried again.
            message: state == .syncing ? .nothing : status?.message ?? .nothing, contents: contents,
            marks: try store.node(id, in: .remote)?.marks ?? [])
    }

    /// Where the contents of an item are; nil where they are always here, and for what is not synced.
    private func contents(of id: NodeID, _ status: NodeStatus?, _ counts: StateCounts) throws -> ItemContents? {
        guard isOnDemand, status?.state != .excluded else { return nil }
        let own = try own(id, status)
        return ItemContents(own + counts, wishes.isEmpty ? .none : try planner.lastingWish(for: id))
    }

    /// How an item is shown to the user that has neither a status nor counts in the store.
    ///
    /// - Parameter marks: What else is shown of it.
    func presentation(ofPlain id: NodeID, marks: ItemMarks) throws -> ItemPresentation {
        let isAtRest = progress[id] == nil && !progress.isRunning(below: id) && !counts.hasChanged(id) && !isOnDemand
        return isAtRest ? ItemPresentation(state: .synced, marks: marks) : try presentation(of: id)
    }

    private static func state(of counts: StateCounts, isActive: Bool) -> ItemSyncState {
        if counts.errors > 0 { return .error }
        if counts.conflicts > 0 { return .conflict }
        if isActive { return .syncing }
        return counts.pending > 0 ? .pending : .synced
    }

    /// Remembers how an item looks before it changes for the first time in this event.
    mutating func remember(_ id: NodeID) throws {
        if !before.contains(id) { before.add(id, try appearance(of: id)) }
    }

    /// How an item looks now.
    func appearance(of id: NodeID) throws -> Appearance {
        guard let node = try store.node(id, in: .local) ?? store.node(id, in: .remote) else {
            return Appearance(parent: .none, name: .root, state: nil)
        }
        let shown = try presentation(of: id)
        return Appearance(
            parent: node.parent, name: node.name, state: shown.state, progress: shown.progress, marks: shown.marks)
    }

    /// The files that are being handled for demands and may have changed in this event.
    mutating func takeChangedDemanded() -> Set<NodeID> {
        let handled = demands.handled
        let isFewer = handled.count < before.count
        let changed = isFewer ? handled.filter(before.contains) : before.items.filter(demands.contains)
        return demands.takeToCheck().union(changed)
    }

    /// The items that look different to the user after the event; contents come before their directory.
    mutating func stateChanges() throws -> [StateChange] {
        let changes = try before.changes(in: self)
        before.removeAll()
        return changes
    }
}
