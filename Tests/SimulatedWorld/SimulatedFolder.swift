package import SyncCore

/// A folder in a simulated world without chance: tests say what users do and what is to be seen then.
package struct SimulatedFolder {
    /// What becomes of files that were uploaded, in a folder from which items are only uploaded.
    package enum Uploads: Sendable {
        /// They stay here.
        case kept
        /// They go to the trash.
        case trashed
    }

    /// The store behind the folder.
    package let store: CrashableMemoryStore
    /// What the session did, effect by effect, since the last `forgetEffects`.
    package private(set) var effects: [Effect] = []
    /// What the last run did.
    package private(set) var summary = RunSummary()
    /// The folder as a whole, as last told.
    package private(set) var status: SessionStatus?
    /// What was told of demands.
    package private(set) var demandReports: [DemandID: [DemandReport]] = [:]
    private var lastDemand: UInt64 = 0
    /// How many effects were to go before all others, and which transfers nobody wants any more.
    package private(set) var hastened = 0
    package private(set) var abandoned: [EffectID] = []
    /// How many effects are under way.
    package var pendingCount: Int { pending.count }
    /// What was told to be read later.
    package private(set) var activities: [Activity] = []
    /// What effects opened that nobody had opened.
    package var leaks: [String] { edge.leaks }
    /// The session.
    package private(set) var session: SyncSession
    /// Results that the next effects of a kind get in place of the real ones.
    package var answer: (Effect) -> EffectResult? = { _ in nil }

    /// What the session is told of a result.
    package var shown: (EffectResult) -> EffectResult = { $0 }

    /// Effects that take their time: they come to their end once this does not hold any more.
    package var isHeld: (Effect) -> Bool = { _ in false }

    /// How long each thing takes that a user or the session does, in nanoseconds.
    package var pace: Int64 = 1_000_000_000
    /// What the machine's clock says, in seconds since 1970: it stands still but for `pass`, and jumps when it is set.
    package var clock: Int64 = 1_700_000_000

    /// What a backup of the remote holds.
    private var backup: SimulatedDisk.State?
    private var edge: SimulatedEdge
    /// When the simulated clock stood at zero.
    private let start = ContinuousClock.now
    /// When each timer is due, in nanoseconds.
    private var timers: [SessionTimer: Int64] = [:]
    /// How often each timer fired.
    package private(set) var firings: [SessionTimer: Int] = [:]
    private var pending: [(id: EffectID, effect: Effect)] = []
    private var configuration: SessionConfiguration

    /// An empty folder with an empty remote, which may take names for equal that differ in case or normalisation.
    ///
    /// - Parameters:
    ///   - grain: Nanoseconds between two ticks of the clocks that stamp files.
    ///   - reusesNumbers: Whether the number of what was deleted is given again, and nothing tells the two apart.
    ///   - tagsDirectories: Whether the remote tells of each directory a tag that changes with all that is in it.
    ///   - tellsDigests: Whether the remote tells the hashes of files with even contents.
    ///   - isOnDemand: Whether files may be here without their contents.
    ///   - tellsAccess: Whether the remote tells what the user may do, and refuses the rest.
    ///   - uploads: What holds if items are only uploaded; nil if they are synced.
    ///   - treeLimit: The most items that the remote removes together with their directory.
    package init(
        excludes: [String] = [], foldsRemoteNames: Bool = false, remoteKeepsPermissions: Bool = true, grain: Int64 = 1,
        reusesNumbers: Bool = false, tagsDirectories: Bool = false, tellsDigests: Bool = false,
        isOnDemand: Bool = false, uploads: Uploads? = nil, treeLimit: Int = 10_000, tellsAccess: Bool = false
    ) {
        edge = SimulatedEdge(
            grain: grain, foldsNames: foldsRemoteNames, remoteKeepsPermissions: remoteKeepsPermissions,
            reusesNumbers: reusesNumbers, remoteTagsDirectories: tagsDirectories, remoteTellsDigests: tellsDigests,
            isOnDemand: isOnDemand, remoteTellsAccess: tellsAccess)
        store = CrashableMemoryStore()
        configuration = SessionConfiguration(
            tag: "TEST", excludes: ExcludePatterns(excludes.map { Array($0.utf8) }), concurrency: 4,
            treeLimit: treeLimit)
        configuration.isOnDemand = isOnDemand
        configuration.isUploadOnly = uploads != nil
        configuration.trashesUploaded = uploads == .trashed
        session = SyncSession(store: store.trees, configuration: configuration)
    }

    private static func path(_ text: String) -> RelativePath {
        RelativePath(text.split(separator: "/").compactMap { EntryName(String($0)) })
    }

    /// Names that one listing gives at most; the others follow in the next.
    package var pageSize: Int {
        get { edge.pages.size }
        set { edge.pages.size = newValue }
    }

    // MARK: Users

    /// Whether what people write, rename and delete is lost in a power cut until a barrier names it.
    package var losesWrites = false

    private mutating func tick() { edge.now += pace }

    /// Writes a file (equal numbers are equal contents), new or in place of the old contents. Without a size it has as
    /// many bytes as its number says.
    package mutating func write(
        _ side: Side, _ path: String, _ content: Int, kind: EntryKind = .file, size: Int64? = nil
    ) {
        tick()
        if losesWrites { edge[side].beginVolatileChange(byPerson: true) }
        defer { edge[side].beginDurableChange() }
        let place = Self.path(path)
        for depth in 1..<max(place.names.count, 1) {
            let parent = RelativePath(Array(place.names.prefix(depth)))
            _ = edge[side].create(.directory, content: 0, size: 0, at: parent, now: edge.now)
        }
        if let old = edge[side].inode(at: place) {
            edge[side].overwrite(old, content: content, size: size ?? Int64(content), now: edge.now)
        } else {
            _ = edge[side].create(kind, content: content, size: size ?? Int64(content), at: place, now: edge.now)
        }
    }

    /// The contents of a file become others, and nothing shows it: as a disk does that rots.
    package mutating func rot(_ side: Side, _ path: String, _ content: Int) {
        guard let number = edge[side].inode(at: Self.path(path)) else { return }
        edge[side].rot(number, to: content)
    }

    /// A program opens a file of this computer, or closes it.
    package mutating func open(_ path: String, isClosed: Bool = false) {
        guard let number = edge[.local].inode(at: Self.path(path)) else { return }
        if isClosed { edge.opened.remove(number) } else { edge.opened.insert(number) }
    }

    /// The user wants the contents at a local path to be elsewhere.
    package mutating func want(_ wish: Wish, _ path: String) throws {
        if let node = try node(path) { try command(.wish(wish, for: [node])) }
    }

    /// Somebody demands the contents at a local path; what comes of it is in ``demandReports``.
    @discardableResult
    package mutating func demand(
        _ aim: Demand.Aim, _ path: String, isOpening: Bool = false, room: Int64? = nil
    ) throws -> DemandID {
        lastDemand += 1
        let id = DemandID(lastDemand)
        guard let node = try node(path) else { return id }
        try command(.demand(id, Demand(aim, node, isOpening: isOpening, room: room)))
        return id
    }

    /// How a demand ended; nil if it did not.
    package func end(of id: DemandID) -> DemandEnd? {
        guard case .ended(let end, _) = demandReports[id]?.last else { return nil }
        return end
    }

    /// How far a demand was when that was last told.
    package func progress(of id: DemandID) -> DemandProgress? {
        demandReports[id]?.compactMap { report -> DemandProgress? in
            switch report {
            case .progress(let progress), .ended(_, let progress): progress
            case .waits: nil
            }
        }.last
    }

    /// Gives a file a second name.
    package mutating func link(_ side: Side, _ path: String, _ other: String) {
        tick()
        guard let number = edge[side].inode(at: Self.path(path)) else { return }
        _ = edge[side].link(number, to: Self.path(other), now: edge.now)
    }

    /// Makes a directory.
    package mutating func makeDirectory(_ side: Side, _ path: String) {
        tick()
        _ = edge[side].create(.directory, content: 0, size: 0, at: Self.path(path), now: edge.now)
    }

    /// Mounts an empty file system at “mount”.
    package mutating func makeMount(_ side: Side) {
        tick()
        edge[side].makeMount(now: edge.now)
    }

    /// Changes the permissions of what is there.
    package mutating func setPermissions(_ side: Side, _ path: String, _ mode: Int) {
        tick()
        guard let number = edge[side].inode(at: Self.path(path)) else { return }
        edge[side].setPermissions(Permissions(mode), of: number, now: edge.now)
    }

    /// The permissions of what is there, as in chmod(1); nil if nothing is.
    package func permissions(_ side: Side, _ path: String) -> String? {
        edge[side].permissions(at: Self.path(path))?.description
    }

    /// The remote lets the user do that with an item and what is in it; nil for what it lets do with what holds it.
    package mutating func allow(_ access: ItemAccess?, _ path: String) {
        guard let number = edge[.remote].inode(at: Self.path(path)) else { return }
        edge[.remote].allow(access, of: number)
    }

    /// Renames.
    package mutating func move(_ side: Side, _ from: String, _ to: String) {
        tick()
        if losesWrites { edge[side].beginVolatileChange(byPerson: true) }
        defer { edge[side].beginDurableChange() }
        _ = edge[side].rename(Self.path(from), to: Self.path(to), now: edge.now)
    }

    /// Deletes, with all below.
    package mutating func delete(_ side: Side, _ path: String) {
        tick()
        if losesWrites { edge[side].beginVolatileChange(byPerson: true) }
        defer { edge[side].beginDurableChange() }
        edge[side].remove(Self.path(path))
    }

    /// The root of a side goes away; with `isReplaced` another directory comes in its place.
    package mutating func loseRoot(_ side: Side, isReplaced: Bool = false) {
        edge.loseRoot(side, to: isReplaced ? .another : .missing)
    }

    /// The root comes back; false if something was done to what stood in its place.
    package mutating func bringRootBack(_ side: Side) -> Bool { edge.bringRootBack(side) }

    /// The watcher tells of items, and what follows from it.
    package mutating func notice(_ side: Side, _ paths: [String]) throws {
        try tell(.changed(side, directories: [], items: paths.map { Self.path($0) }, isOverflow: false))
        try settle()
    }

    /// The watcher tells that changes of a side were lost; that is followed until so many listings came to their end.
    package mutating func overflow(_ side: Side, untilListed count: Int) throws {
        try tell(.changed(side, directories: [], items: [], isOverflow: true))
        var listed = 0
        while listed < count, !pending.isEmpty {
            let next = pending.first?.effect
            try carryOutNext(at: 0)
            if case .listDirectory = next { listed += 1 }
        }
    }

    /// The remote is brought back from a backup.
    package mutating func restoreRemote() { edge.generation += 1 }

    /// Makes a backup of the remote.
    package mutating func backUpRemote() { backup = edge[.remote].state }

    /// Puts the remote back as it was when the backup was made; the sizes and times are those of then.
    package mutating func putRemoteBack() {
        tick()
        if let backup { edge[.remote].putBack(backup, now: edge.now) }
    }

    /// Puts one file of the remote back, as a person does.
    package mutating func putRemoteBack(file: String) {
        guard let backup else { return }
        tick()
        var old = SimulatedDisk(grain: 1)
        old.putBack(backup, now: 0)
        guard let was = old.inode(at: Self.path(file)).flatMap({ old.state.inodes[$0] }) else { return }
        edge[.remote].remove(Self.path(file))
        _ = edge[.remote].create(.file, content: was.content, size: was.size, at: Self.path(file), now: was.modified)
    }

    // MARK: The session

    /// A new session over the same store, which looks at everything.
    ///
    /// - Parameters:
    ///   - excludes: The patterns from now on; nil for the same.
    ///   - isUploadOnly: Whether items are only uploaded from now on; nil for the same as before.
    package mutating func restart(excluding excludes: [String]? = nil, isUploadOnly: Bool? = nil) throws {
        store.crash()
        if let isUploadOnly { configuration.isUploadOnly = isUploadOnly }
        if let excludes { configuration.excludes = ExcludePatterns(excludes.map { Array($0.utf8) }) }
        session = SyncSession(store: store.trees, configuration: configuration)
        pending = []
        timers = [:]
        try tell(.start)
        try awaitQuiet()
    }

    /// The machine stops, and nothing is left on either side of what was not made durable.
    package mutating func cutPower() {
        for side in Side.allCases { edge[side].loseVolatile() }
    }

    /// Time passes, and what is due in it happens.
    package mutating func pass(seconds: Double) throws {
        clock += Int64(seconds)
        let end = edge.now + Int64(seconds * 1_000_000_000)
        while let next = timers.min(by: { $0.value < $1.value }), next.value <= end {
            try fire(next.key)
        }
        edge.now = max(edge.now, end)
    }

    private mutating func fire(_ timer: SessionTimer) throws {
        firings[timer, default: 0] += 1
        edge.now = max(edge.now, timers.removeValue(forKey: timer) ?? 0)
        try tell(.timer(timer))
        try settle()
    }

    /// Everything that is under way comes to its end, and it is waited until no more deletions are expected.
    private mutating func awaitQuiet() throws {
        try settle()
        while timers[.settle] != nil { try fire(.settle) }
    }

    /// Looks at everything and runs until nothing is left to do.
    package mutating func sync() throws {
        if status == nil { try tell(.start) }
        try tell(.command(.syncNow))
        try awaitQuiet()
    }

    /// Looks at everything until only transfers are left, and has as many of them run: they move no bytes yet.
    package mutating func syncUntilTransfers(running: Int) throws {
        if status == nil { try tell(.start) }
        try tell(.command(.syncNow))
        while let index = pending.firstIndex(where: { !$0.effect.footprint.has(.stage) }) {
            tick()
            let next = pending.remove(at: index)
            try tell(.effect(next.id, edge.carryOut(next.effect)))
        }
        for transfer in pending.prefix(running) { try tell(.began(transfer.id)) }
    }

    /// Bytes of a transfer that runs are through.
    package mutating func progress(_ path: String, _ bytes: Int64) throws {
        for transfer in pending {
            guard case .stage(_, _, let source, _) = transfer.effect, source == Self.path(path) else { continue }
            try tell(.progress(transfer.id, bytesDone: bytes))
        }
    }

    /// Has everything that is under way come to its end.
    package mutating func finish() throws { try settle() }

    /// Carries out the effects that take their time, one after the other, and only then tells what came of them: of the
    /// first one first, or last. After each of them something else may happen.
    package mutating func finishHeld(
        firstToldFirst: Bool, then happens: (inout SimulatedFolder, Effect) throws -> Void
    ) throws {
        let held = pending.filter { isHeld($0.effect) }
        pending.removeAll { isHeld($0.effect) }
        var results: [(EffectID, EffectResult)] = []
        for (id, effect) in held {
            tick()
            results.append((id, edge.carryOut(effect)))
            try happens(&self, effect)
        }
        for (id, result) in firstToldFirst ? results : results.reversed() { try tell(.effect(id, result)) }
    }

    /// A command, and what follows from it.
    package mutating func command(_ command: SessionCommand) throws {
        try tell(.command(command))
        try awaitQuiet()
    }

    /// Forgets which effects there were.
    package mutating func forgetEffects() { effects = [] }

    private mutating func settle() throws {
        var steps = 0
        while steps < 10_000, let index = pending.firstIndex(where: { !isHeld($0.effect) }) {
            steps += 1
            try carryOutNext(at: index)
        }
    }

    private mutating func carryOutNext(at index: Int) throws {
        tick()
        let next = pending.remove(at: index)
        effects.append(next.effect)
        try tell(.effect(next.id, answer(next.effect) ?? shown(edge.carryOut(next.effect))))
    }

    private mutating func tell(_ event: SessionEvent) throws {
        let moment = Moment(instant: start + .nanoseconds(edge.now), unixSeconds: clock)
        for action in try session.handle([event], now: moment) {
            switch action {
            case .run(let id, let effect): pending.append((id, effect))
            case .folderStatus(let new): status = new
            case .quiescent(let done): summary = done
            case .setTimer(let timer, let delay):
                timers[timer] = edge.now + delay.wholeNanoseconds
            case .activity(let activity): activities.append(activity)
            case .demand(let id, let report): demandReports[id, default: []].append(report)
            case .hasten: hastened += 1
            case .abandon(let id): abandoned.append(id)
            case .publish, .finished: break
            }
        }
    }

    // MARK: What is to be seen

    /// Each path of a side with its contents: 0 for directories.
    package func contents(_ side: Side) -> [String: Int] {
        var found: [String: Int] = [:]
        for (path, number) in edge[side].walk() { found["\(path)"] = edge[side].state.inodes[number]?.content ?? 0 }
        return found
    }

    /// The paths of placeholders.
    package var placeholders: [String] {
        edge[.local].walk().filter { edge[.local].state.inodes[$0.inode]?.residence == .remoteAlone }
            .map { "\($0.path)" }.sorted()
    }

    /// A folder in which these files are synced and at rest, whose clock moves a millisecond with each change.
    package static func synced(_ files: [String: Int]) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        folder.pace = 1_000_000
        for (path, content) in files.sorted(by: { $0.key < $1.key }) { folder.write(.local, path, content) }
        try folder.sync()
        try folder.pass(seconds: 10)
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    /// Contents in the trash and the replaced-store.
    package var kept: [Int] { edge[.local].state.kept.sorted() }

    /// How many effects satisfied the condition.
    package func count(_ condition: (Effect) -> Bool) -> Int { effects.filter(condition).count }

    /// Effects that transfer contents or change what a person can see.
    package var mutations: Int { count { $0.footprint.isChange || $0.footprint.has(.stage) } }

    /// The state of the item at a local path.
    package func state(_ path: String) throws -> ItemSyncState? {
        try node(path).map { try session.presentation(of: $0).state }
    }

    /// What a person is to see of the item at a local path.
    package func presentation(_ path: String) throws -> ItemPresentation? {
        try node(path).map { try session.presentation(of: $0) }
    }

    /// The item at a local path.
    package func node(_ path: String) throws -> NodeID? {
        try store.trees.localNode(at: Self.path(path))
    }

    /// Why the item at a local path is not synced.
    package func words(_ path: String) throws -> Explanation? {
        try node(path).map { try session.reason(of: $0) }
    }

    /// What is not synced, with the reason for each item.
    package func reasons() throws -> [Explanation] {
        try ItemSyncState.allCases.filter { ![.synced, .onlineOnly, .excluded].contains($0) }.flatMap { state in
            try store.trees.nodes(inState: state, after: .none, limit: .max).map { try session.reason(of: $0) }
        }
    }
}
