import SyncCore
import TestSupport

/// A folder from which items are only uploaded, and a remote to which others put things and from which they take some.
///
/// Nothing that others did at the remote is ever seen, touched or lost; every version that is at rest here is there under
/// some name, or was until others took it; nothing happens here.
struct SimulatedDropBox: ScriptedWorld {
    private struct Pending {
        var id: EffectID
        var effect: Effect
        var stepped: SteppedEffect?
        var result: EffectResult?
    }

    /// Something at the remote that others made, wrote or moved.
    private struct Foreign: Equatable {
        var content: Int
        var parent: Int
        var path: EntryName?
        var permissions: Permissions
    }

    let script: SimulatedScript
    let isVerbose: Bool
    private let store: any CrashableStore
    let mayFail: Bool
    private let trashesUploaded: Bool
    private let operationLimit: Int
    private let pace: Int64
    private let start = ContinuousClock.now
    var random: SeededRandom
    private var edge: SimulatedEdge
    private var user = SimulatedUser()
    private var session: SyncSession
    private var pending: [Pending] = []
    private var notices = Notices()
    private var timers = SimulatedTimers()
    private var isQuiescent = false
    private var steps = 0
    var hasFaults = false
    private var trace = Hasher()
    private var backup: SimulatedDisk.State?

    /// The inodes of the remote that the session made, and what it put into each, where. Nothing tells when others moved
    /// one away and back, or gave it other permissions in the moment in which it is moved.
    private var own: [Int: [Foreign]] = [:]
    private var foreign: [Int: Foreign] = [:]
    /// Contents that others destroyed or overwrote at the remote.
    private var taken: Set<Int> = []
    /// Contents at the remote that a later version from here replaced.
    private var replaced: Set<Int> = []
    /// Contents that were renamed here while the session was at work.
    private var renamed: Set<Int> = []
    /// How often each version was uploaded.
    private var uploads: [Int: Int] = [:]
    /// Whether nobody else ever did anything at the remote, and nothing failed.
    private var isClean = true

    /// Plays a script; what the session did in it, in one number.
    static func run(_ script: SimulatedScript, store: any CrashableStore, isVerbose: Bool) throws -> UInt64 {
        var box = SimulatedDropBox(script, store: store, isVerbose: isVerbose)
        try box.live()
        return UInt64(bitPattern: Int64(box.trace.finalize()))
    }

    private init(_ script: SimulatedScript, store: any CrashableStore, isVerbose: Bool) {
        self.script = script
        self.isVerbose = isVerbose
        self.store = store
        random = SeededRandom(seed: script.world)
        // Whoever writes in place within a tick of the remote's clock is not noticed: that clock is exact.
        edge = SimulatedEdge(grain: 1, foldsNames: random.oneIn(4), remoteKeepsPermissions: !random.oneIn(4))
        edge.disks[0] = SimulatedDisk(grain: [1, 1_000, 4_000_000, 2_000_000_000][random.below(4)])
        edge.pages.size = [1, 2, 3, Int.max][random.below(4)]
        operationLimit = [1, 3, 2_048][random.below(3)]
        pace = [1, 1_000, 1_000_000, 100_000_000][random.below(4)]
        mayFail = random.oneIn(3)
        trashesUploaded = random.oneIn(4)
        user.sweeps = script.traits.contains(.sweeps)
        user.links = script.traits.contains(.hardLinks)
        session = SyncSession(store: store.trees, configuration: SessionConfiguration(tag: "TEST"))
    }

    private var configuration: SessionConfiguration {
        var configuration = SessionConfiguration(tag: "TEST", concurrency: 4, operationLimit: operationLimit)
        configuration.isUploadOnly = true
        configuration.trashesUploaded = trashesUploaded
        return configuration
    }

    private mutating func live() throws {
        for _ in 0..<random.below(8) { edit(.local) }
        if random.oneIn(2) {
            for _ in 0..<random.below(8) { edit(.remote) }
        }
        if user.sweeps { user.fill(&edge, .local, files: 24, &random) }
        try begin()
        if random.oneIn(2) { try rest() }
        try playActs()
        try rest()
        try checkSilence()
    }

    mutating func play(_ kind: SimulatedScript.Act.Kind) throws {
        passTime()
        switch kind {
        case .local: edit(.local)
        case .remote: edit(.remote)
        case .step: try step()
        case .command: try tell(.command([.syncNow, .pause, .resume][random.below(3)]))
        case .root:
            try finishSteps()
            try changeRoot()
        case .backup: if edge.roots[1] == .own { backup = edge[.remote].state }
        case .putBack:
            try finishSteps()
            putRemoteBack()
        case .kill: try stop(withMachine: false)
        case .crash: try stop(withMachine: true)
        case .rest: try rest()
        case .mount: break
        }
    }

    private mutating func passTime() { edge.now += Int64(1 + random.below(20)) * pace }

    // MARK: People

    private mutating func edit(_ side: Side) {
        // Two changes of one file at one time look like one.
        passTime()
        let before = edge
        let paths = user.edit(&edge, side, &random)
        for side in Side.allCases { edge[side].writeBack() }
        log { "people on \(side): \(paths), which holds now \(edge[side].contentsInPrint)" }
        if paths.isEmpty { return }
        if side == .remote || user.onBothSides { noteOthers(since: before[.remote]) }
        noteRenamed(since: before[.local])
        for side in user.onBothSides ? Side.allCases : [side] {
            notices.add(paths, on: side, hasMoves: user.hasMovedDirectory, &random)
            if user.isUntold { notices.overflow(side) }
        }
    }

    /// Something was renamed here while the session looked for what was told before: found gone from its former place and
    /// then at another one, it is a file that was deleted and one that is new.
    private mutating func noteRenamed(since before: SimulatedDisk) {
        if isQuiescent && pending.isEmpty && notices.isEmpty { return }
        for (path, number) in before.walk() {
            guard let there = edge[.local].path(of: number), there != path else { continue }
            renamed.formUnion(edge[.local].numbers(from: number))
        }
    }

    /// Others changed the remote: what they touched is theirs from now on.
    private mutating func noteOthers(since before: SimulatedDisk) {
        isClean = false
        let (old, new) = (before.state.inodes, edge[.remote].state.inodes)
        for (path, number) in before.walk() {
            guard let was = old[number], edge[.remote].path(of: number) != path || new[number]?.content != was.content
            else { continue }
            taken.insert(was.content)
        }
        foreign = [:]
        for number in reached where !isOwn(number) { foreign[number] = look(number) }
    }

    /// Whether the session made it, and nobody else moved or wrote it since.
    private func isOwn(_ number: Int) -> Bool {
        guard let now = look(number) else { return false }
        // A crash may take back where it was put last.
        return own[number, default: []].contains { made in
            made.content == now.content && made.parent == now.parent && made.path == now.path
        }
    }

    private func name(of number: Int, _ disk: SimulatedDisk) -> EntryName? {
        disk.state.inodes[number].flatMap { disk.state.inodes[$0.parent]?.children.first { $0.value == number }?.key }
    }

    private var reached: [Int] { edge[.remote].walk().map(\.inode) }

    private func look(_ number: Int) -> Foreign? {
        edge[.remote].state.inodes[number].map {
            Foreign(
                content: $0.content, parent: $0.parent, path: name(of: number, edge[.remote]),
                permissions: $0.permissions)
        }
    }

    private mutating func changeRoot() throws {
        if edge.roots != [.own, .own] { return try bringRootsBack() }
        guard try store.knowsRoots() else { return }
        let side: Side = random.oneIn(2) ? .local : .remote
        edge.loseRoot(side, to: random.oneIn(2) ? .missing : .another)
        log { "the root of \(side) is now \(edge.roots)" }
    }

    private mutating func bringRootsBack() throws {
        for side in Side.allCases where edge.away[Int(side.rawValue)] != nil {
            if !edge.bringRootBack(side) { throw violation("another root on \(side) was changed") }
            notices.overflow(side)
            log { "the root of \(side) is back" }
        }
    }

    private mutating func putRemoteBack() {
        guard let backup, edge.roots == [.own, .own] else { return }
        let before = edge[.remote]
        edge[.remote].putBack(backup, now: edge.now)
        edge[.remote].writeBack()
        noteOthers(since: before)
        notices.overflow(.remote)
        log { "the remote is as it was once: \(edge[.remote].contentsInPrint)" }
    }

    // MARK: The session

    private mutating func begin() throws {
        if try !store.knowsRoots() { try bringRootsBack() }
        notices.removeAll()
        (pending, timers, isQuiescent) = ([], SimulatedTimers(), false)
        edge.staged = [:]
        session = SyncSession(store: store.trees, configuration: configuration)
        try tell(.start)
    }

    private mutating func stop(withMachine: Bool) throws {
        log { withMachine ? "the machine stops" : "the session is killed" }
        isClean = false
        if withMachine {
            for index in pending.indices where pending[index].result == nil && random.oneIn(2) {
                if pending[index].effect.footprint.barrier == nil { try advanceEffect(index, isLast: true) }
            }
            for side in Side.allCases {
                edge[side].crash(&random)
                edge.away[Int(side.rawValue)]?.crash(&random)
            }
        } else {
            try finishSteps()
        }
        try store.crash()
        if withMachine {
            switch random.below(8) {
            case 0: try store.restoreBackup()
            case 1: try store.lose()
            case 2: try store.backUp()
            default: break
            }
        }
        try checkForeign()
        try begin()
    }

    private mutating func tell(_ events: SessionEvent...) throws {
        for event in events { log { "-> \(event)" } }
        let moment = Moment(
            instant: start + .nanoseconds(edge.now), unixSeconds: 1_700_000_000 + edge.now / 1_000_000_000)
        let actions: [SessionAction]
        do {
            actions = try session.handle(events, now: moment)
        } catch let failure as EffectFailure {
            log { "the session ends: \(failure)" }
            return try stop(withMachine: false)
        }
        for action in actions {
            trace.combine(action)
            log { "   \(action)" }
            switch action {
            case .run(let id, let effect):
                if let objection = objection(to: effect) { throw violation("\(objection): \(effect)") }
                isQuiescent = false
                pending.append(Pending(id: id, effect: effect))
            case .setTimer(let timer, let delay): timers.set(timer, after: delay, at: edge.now)
            case .folderStatus(let status):
                if case .confirmDeletes = status.phase { throw violation("a person is asked about deletions") }
            case .quiescent: isQuiescent = true
            case .publish, .activity, .hasten, .abandon, .demand, .finished: break
            }
        }
    }

    /// Why an effect must never be handed out; nil if it may be.
    private func objection(to effect: Effect) -> String? {
        switch effect {
        case .within(_, let effect), .opening(_, let effect): objection(to: effect)
        case .listDirectory(.local, _, _), .checkEntry(.local, _, _), .hashFile(.local, _, _), .stage(_, .local, _, _),
            .publish(_, .remote, _, _, _), .makeDirectory(.remote, _, _), .move(.remote, _, _, _, _), .probeRoots,
            .markRoot, .syncContents, .syncRenames, .discard:
            nil
        case .remove(.local, _, .file, _): trashesUploaded ? nil : "something is deleted here"
        case .listDirectory, .checkEntry, .hashFile, .stage: "the remote is looked at"
        case .publish, .makeDirectory, .move, .fill, .free, .describe, .displace, .replaceLocal, .discardLocal:
            "something is done here"
        case .setPermissions, .remove, .removeTree: "what was uploaded is changed or removed"
        }
    }

    private mutating func step() throws {
        steps += 1
        if steps > 40_000 { throw violation("it does not come to an end") }
        if !notices.isEmpty, pending.isEmpty || random.oneIn(3) {
            guard let event = notices.next(&random) else { return }
            return try tell(event)
        }
        if let due = timers.takeDue(at: edge.now) { return try tell(.timer(due)) }
        if pending.isEmpty {
            if let next = timers.next { edge.now = max(edge.now, next) }
            return
        }
        let index = random.below(pending.count)
        if pending[index].result == nil {
            try advanceEffect(index)
            if pending[index].result == nil || random.oneIn(3) { return }
        }
        let done = pending.remove(at: index)
        guard let result = done.result else { return }
        log { "carried out \(done.effect)" }
        try tell(.effect(done.id, result))
    }

    /// Carries an effect out, or makes some steps of it.
    private mutating func advanceEffect(_ index: Int, isLast: Bool = false) throws {
        let effect = pending[index].effect
        if hasFaults && !isLast && pending[index].stepped == nil && random.oneIn(25) {
            isClean = false
            pending[index].result = .failed(.injected(into: effect, besides: [.exists], &random))
            return
        }
        let (staged, before) = (edge.staged, edge[.remote].numbers)
        if has(.inside), effect.footprint.hasInside {
            if pending[index].stepped == nil { pending[index].stepped = SteppedEffect(effect) }
            guard var stepped = pending[index].stepped else { return }
            var result: EffectResult?
            repeat { result = edge.advance(&stepped) } while result == nil && random.oneIn(3)
            pending[index].stepped = stepped
            pending[index].result = result
            if stepped.hasActed, let made = stepped.made, effect.footprint.side == .remote {
                own[made, default: []] += [look(made)].compactMap(\.self)
            }
        } else {
            pending[index].result = edge.carryOut(effect)
        }
        guard let result = pending[index].result else { return }
        noteDone(effect, result, staged)
        replaced.formUnion(before.subtracting(edge[.remote].numbers))
        try checkForeign()
    }

    private mutating func finishSteps() throws {
        for index in pending.indices where pending[index].stepped != nil {
            while pending[index].result == nil { try advanceEffect(index) }
        }
    }

    /// What an effect made at the remote is the session's own.
    private mutating func noteDone(
        _ effect: Effect, _ result: EffectResult, _ staged: [StageID: SimulatedEdge.Staged]
    ) {
        guard case .wrote(let version) = result, effect.footprint.side == .remote else { return }
        if case .publish(let stage, _, _, _, _) = effect, let content = staged[stage]?.content {
            uploads[content, default: 0] += 1
        }
        for number in reached where edge[.remote].version(of: number, now: 0).identity == version.identity {
            if foreign[number] == nil { own[number, default: []] += [look(number)].compactMap(\.self) }
        }
    }

    // MARK: Rest

    private mutating func rest() throws {
        hasFaults = false
        try bringRootsBack()
        try tell(.command(.resume))
        var end: Int64?
        while true {
            passTime()
            guard isQuiescent && pending.isEmpty && notices.isEmpty else {
                if pending.isEmpty && notices.isEmpty && timers.isEmpty { throw violation("it stands still") }
                try step()
                continue
            }
            let limit = end ?? edge.now + 1_000_000_000_000
            end = limit
            guard let next = timers.next, next < limit else { break }
            edge.now = max(edge.now, next)
            try step()
        }
        try checkRest()
    }

    /// Nothing that others did at the remote was touched. While an effect is under way what it took is not in its place.
    private func checkForeign() throws {
        if pending.contains(where: { $0.stepped?.hasActed == true && $0.result == nil }) || edge.away[1] != nil {
            return
        }
        for (number, known) in foreign where look(number) != known {
            throw violation("\(known) at the remote is now \(String(describing: look(number)))")
        }
    }

    private func checkRest() throws {
        try checkForeign()
        let remote = edge[.remote].numbers
        if remote.contains(SimulatedDisk.rubbish) { throw violation("the remote holds partial contents") }
        for state in [ItemSyncState.error, .conflict, .pending, .syncing] {
            for id in try store.trees.nodes(inState: state, after: .none, limit: 1) {
                throw violation("\(id) is \(state): \(try session.reason(of: id))")
            }
        }
        for (path, number) in edge[.local].walk() where !isApart(path) {
            guard let inode = edge[.local].state.inodes[number], let id = try store.trees.localNode(at: path) else {
                throw violation("\(path) is not known")
            }
            if inode.kind == .file {
                if trashesUploaded { throw violation("\(path) was uploaded and is still here") }
                if !remote.contains(inode.content) && !taken.contains(inode.content) {
                    throw violation("\(inode.content) at \(path) was not uploaded")
                }
            }
            try checkPlace(of: id, inode)
        }
        let trashed = edge[.local].state.kept.filter { !remote.union(replaced).union(taken).contains($0) }
        if !trashed.isEmpty { throw violation("\(trashed) were trashed and not uploaded") }
        if isClean && !user.links, let twice = uploads.first(where: { $0.value > 1 && !renamed.contains($0.key) }) {
            throw violation("\(twice.key) was uploaded \(twice.value) times")
        }
    }

    /// What nobody else touched is where it is known to be, under its own name or one that is made from it.
    private func checkPlace(of id: NodeID, _ inode: SimulatedDisk.Inode) throws {
        guard let path = try store.trees.path(of: id, in: .remote), let name = path.name,
            let local = try store.trees.node(id, in: .local)
        else {
            if isClean { throw violation("\(id) is not known at the remote") }
            return
        }
        if name != local.name && !ConflictName.isCopy(name, of: local.name)
            && !ConflictName.isCopy(local.name, of: name)
        {
            throw violation("\(local.name) is \(name) at the remote")
        }
        if try store.trees.node(id, in: .remote)?.parent != local.parent {
            throw violation("\(local.name) is in another directory at the remote")
        }
        guard isClean else { return }
        guard let number = edge[.remote].inode(at: path), let there = edge[.remote].state.inodes[number] else {
            throw violation("\(path) is not at the remote")
        }
        if there.kind != inode.kind || (inode.kind == .file && there.content != inode.content) {
            throw violation("\(path) at the remote is \(there.kind) \(there.content)")
        }
    }

    /// Not synced, or in something that is not.
    private func isApart(_ path: RelativePath) -> Bool {
        let excludes = ExcludePatterns()
        return (1...path.names.count).contains { depth in
            let above = RelativePath(Array(path.names.prefix(depth)))
            guard let number = edge[.local].inode(at: above), let kind = edge[.local].state.inodes[number]?.kind else {
                return false
            }
            return kind == .symlink || excludes.excludes(above, kind: kind)
        }
    }

    /// Run again there is nothing to do.
    private mutating func checkSilence() throws {
        try store.crash()
        edge.mutations = 0
        try begin()
        try rest()
        if edge.mutations > 0 { throw violation("the second run did \(edge.mutations) things") }
    }
}
