import SyncCore
import TestSupport

/// One history from a script: users, a session, faults and crashes, and what must hold whenever all is at rest.
package struct SimulatedHistory: ScriptedWorld {
    /// What went wrong, with the script that shows it again.
    package struct Violation: Error, CustomStringConvertible {
        /// What happened.
        package let script: SimulatedScript
        /// What does not hold.
        package let message: String
        /// Both.
        package var description: String { "\(message)\nscript: \(script)" }
    }

    struct Pending {
        var id: EffectID
        var effect: Effect
        /// The item whose contents are transferred or published, or that is moved or removed.
        var node: NodeID?
        /// When the session asked for it.
        var step: Int
        /// The contents of the files that it removes.
        var contents: [RelativePath: Int] = [:]
        /// Whether the session was told that it runs.
        var hasBegun = false
        var result: EffectResult?
        /// How far it is where others act in between, and what stood there before it acted.
        var stepped: SteppedEffect?
        var before: SimulatedEdge?
    }

    let script: SimulatedScript
    let isVerbose: Bool
    let store: any CrashableStore
    var random: SeededRandom
    var edge: SimulatedEdge
    var user = SimulatedUser()
    var session: SyncSession
    var pending: [Pending] = []
    var notices = Notices()
    /// When the simulated clock stood at zero.
    private let start = ContinuousClock.now
    private var timers = SimulatedTimers()
    var published: [NodeID: ItemSyncState] = [:]
    /// What is demanded and did not end yet, and the last number of a demand.
    var demands: [DemandID: SimulatedDemand] = [:]
    var lastDemand: UInt64 = 0
    /// The items whose contents are staged.
    var stages: [StageID: NodeID] = [:]
    /// What effects moved that the session may not have written down.
    var unwrittenMoves: [(side: Side, inode: Int)] = []
    let mayFail: Bool
    var hasFaults = false
    var isQuiescent = false
    /// The side on which many deletions are held back until a person answers; nil if none are.
    var heldDeletions: Side?
    /// Whether the person puts back what was deleted, once they were asked since all agreed.
    var declines: Bool?
    var isAskingAboutRestore = false
    /// What a backup of the remote holds.
    private var remoteBackup: SimulatedDisk.State?
    var steps = 0
    /// When the file system inside the folder was unmounted; nil while it is mounted.
    var unmounted: Int?
    var excludes = ExcludePatterns()
    let operationLimit: Int
    /// How far time goes at one act, at most twenty times this, in nanoseconds.
    private let pace: Int64
    /// Whether the session did anything since all was at rest.
    var hasStepped = true
    /// Every action of the session.
    private var trace = Hasher()

    /// Runs the history of a seed and returns what the session did in it, in one number: equal numbers, equal histories.
    /// Across processes that holds with `SWIFT_DETERMINISTIC_HASHING=1`. Throws what does not hold.
    @discardableResult
    package static func run(seed: UInt64, store: any CrashableStore, isVerbose: Bool = false) throws -> UInt64 {
        try run(SimulatedScript(seed: seed), store: store, isVerbose: isVerbose)
    }

    /// Plays a script. See ``run(seed:store:isVerbose:)``.
    @discardableResult
    package static func run(
        _ script: SimulatedScript, store: any CrashableStore, isVerbose: Bool = false
    ) throws -> UInt64 {
        if script.traits.contains(.clients) {
            return try SimulatedClients.run(script, store: store, isVerbose: isVerbose)
        }
        if script.traits.contains(.uploadOnly) {
            return try SimulatedDropBox.run(script, store: store, isVerbose: isVerbose)
        }
        var history = SimulatedHistory(script, store: store, isVerbose: isVerbose)
        try history.live()
        history.trace.combine(history.edge.now)
        return UInt64(bitPattern: Int64(history.trace.finalize()))
    }

    private init(_ script: SimulatedScript, store: any CrashableStore, isVerbose: Bool) {
        self.script = script
        self.isVerbose = isVerbose
        self.store = store
        random = SeededRandom(seed: script.world)
        edge = SimulatedEdge(
            grain: [1, 1_000, 4_000_000, 2_000_000_000][random.below(4)], foldsNames: random.oneIn(4),
            remoteKeepsPermissions: !random.oneIn(8), foldsLocalNames: script.traits.contains(.folding),
            reusesNumbers: script.traits.contains(.reusedInodes),
            remoteTagsDirectories: !script.traits.isDisjoint(with: [.directoryTags, .deletedTrees]),
            remoteTellsDigests: script.traits.contains(.digests), isOnDemand: script.traits.contains(.onDemand))
        if script.traits.contains(.directoryTags) { notices.polled = [.remote] }
        edge.pages.size = [1, 2, 3, Int.max][Int(script.world % 4)]
        user.isVolatile = script.traits.contains(.volatile)
        user.sweeps = script.traits.contains(.sweeps)
        user.deletesTrees = script.traits.contains(.deletedTrees)
        user.links = script.traits.contains(.hardLinks)
        operationLimit = [1, 3, 2_048][random.below(3)]
        mayFail = random.oneIn(2)
        pace = [1, 1_000, 1_000_000, 100_000_000][random.below(4)]
        session = SyncSession(store: store.trees, configuration: SessionConfiguration(tag: "TEST"))
    }

    private mutating func live() throws {
        if has(.clocks) { Side.allCases.forEach { setClock($0) } }
        for side in Side.allCases {
            for _ in 0..<random.below(8) { _ = user.edit(&edge, side, &random) }
            if side == .local && has(.correlated) { beginAlike() }
        }
        let isWide = random.oneIn(12) || has(.sweeps)
        if isWide { user.fill(&edge, random.oneIn(2) ? .local : .remote, files: 24, &random) }
        if random.oneIn(3) { edge[random.oneIn(2) ? .local : .remote].makeMount(now: edge.now) }
        if has(.volatile) { for side in Side.allCases { edge[side].writeBack() } }
        try begin()
        if random.oneIn(2) { try rest() }
        try playActs()
        try rest()
        try checkSilence()
    }

    mutating func play(_ kind: SimulatedScript.Act.Kind) throws {
        passTime()
        switch kind {
        case .local:
            if !has(.onDemand) || !random.oneIn(3) {
                edit(.local)
            } else if has(.demands) && !random.oneIn(3) {
                try demandOrWithdraw()
            } else {
                try wishOrOpen()
            }
        case .remote: edit(.remote)
        case .step: if has(.demands) && random.oneIn(6) { try demandOrWithdraw() } else { try step() }
        case .command: try command()
        case .mount:
            try finishSteps()
            if edge.mountSide != nil { try changeMount() }
        case .root:
            try finishSteps()
            try changeRoot()
        case .backup: backUpRemote()
        case .putBack:
            try finishSteps()
            putRemoteBack()
        case .kill: try kill()
        case .crash: try crash()
        case .rest: try rest()
        }
    }

    // MARK: The session

    mutating func begin() throws {
        // A session that knows no root takes the one that it finds.
        if try !store.knowsRoots() { try bringRootsBack() }
        try bringUnknownMountBack()
        // Whatever was told meanwhile: it looks at everything when it starts.
        notices.removeAll()
        try pin()
        session = SyncSession(store: store.trees, configuration: configuration)
        edge.finishDisplacements()
        pending = []
        timers = SimulatedTimers()
        stages = [:]
        edge.staged = [:]
        edge.opened = []
        isQuiescent = false
        heldDeletions = nil
        isAskingAboutRestore = false
        let lost = demands
        demands = [:]
        try collectStates()
        try tell(.start)
        try demandAgain(lost)
    }

    /// What a worker does at the start and when pausing changes every state at once.
    private mutating func collectStates() throws {
        published = [:]
        for tree in [Tree.local, .remote] { try collectStates(.root, in: tree) }
    }

    private mutating func collectStates(_ id: NodeID, in tree: Tree) throws {
        for child in try store.trees.children(of: id, in: tree, after: nil, limit: .max) {
            published[child.id] = try session.presentation(of: child.id).state
            try collectStates(child.id, in: tree)
        }
    }

    var moment: Moment {
        let present = edge.now + edge[.local].clockOffset
        return Moment(instant: start + .nanoseconds(edge.now), unixSeconds: 1_700_000_000 + present / 1_000_000_000)
    }

    mutating func tell(_ events: SessionEvent...) throws {
        for event in events { log { "-> \(event)" } }
        let actions: [SessionAction]
        do {
            actions = try session.handle(events, now: moment)
        } catch let failure as EffectFailure {
            log { "session ends: \(failure)" }
            return try restart()
        }
        if session.isSettled && !unwrittenMoves.isEmpty { forgetWrittenMoves() }
        for action in actions {
            trace.combine(action)
            log { "   \(action)" }
            switch action {
            case .run(let id, let effect):
                isQuiescent = false
                pending.append(try make(id, effect))
            case .setTimer(let timer, let delay):
                timers.set(timer, after: delay, at: edge.now)
            case .publish(let changes):
                for change in changes { published[change.node] = change.state }
            case .folderStatus(let status):
                if case .confirmDeletes(_, let side) = status.phase {
                    heldDeletions = side
                } else {
                    heldDeletions = nil
                }
                isAskingAboutRestore = status.stopReason == .remoteRestored
            case .quiescent: isQuiescent = true
            case .demand(let id, let report): try note(report, of: id)
            case .abandon(let id): abandon(id)
            case .activity, .hasten, .finished: break
            }
        }
        if events.contains(where: \.changesEverything) { try collectStates() }
        try checkActivity()
    }

    private mutating func restart() throws {
        loseUnwrittenMoves()
        user.ledger.interrupt()
        try store.crash()
        try begin()
    }

    // MARK: Steps

    /// Whether the session has nothing to do and knows of everything.
    var isAtRest: Bool { isQuiescent && pending.isEmpty && notices.isEmpty }

    private mutating func passTime() {
        edge.now += Int64(1 + random.below(20)) * pace
        if has(.clocks) && random.oneIn(20) { setClock(random.oneIn(2) ? .local : .remote) }
        if has(.refusals) && hasFaults && random.oneIn(15) { changeRefusal() }
    }

    private mutating func edit(_ side: Side) {
        // What is staged and not published, as the folder is paused, is under way.
        let isIdle = (isAtRest && edge.staged.isEmpty) || !hasStepped
        let paths = user.edit(&edge, side, &random, near: pathsInWork(on: side))
        log { "user on \(side): \(paths), which holds now \(edge[side].contentsInPrint)" }
        if paths.isEmpty { return }
        for side in user.onBothSides ? Side.allCases : [side] {
            user.ledger.act(on: side, isAtRest: isIdle)
            notices.add(paths, on: side, hasMoves: user.hasMovedDirectory, &random)
            if user.isUntold { notices.overflow(side) }
        }
    }

    private mutating func step() throws {
        steps += 1
        hasStepped = true
        if steps > 20_000 { throw violation("it does not come to an end") }
        if steps % 16 == 0 { try checkReasons() }
        if !notices.isEmpty && random.oneIn(3) { return try deliverNotice() }
        // Of a placeholder the remote has the only contents: what a watcher knows is told before it counts as deleted.
        let isTold = !has(.onDemand) || notices.isEmpty
        if let due = timers.takeDue(at: edge.now, except: isTold ? nil : .settle) { return try tell(.timer(due)) }
        if pending.isEmpty {
            if !notices.isEmpty { return try deliverNotice() }
            if let next = timers.next { edge.now = max(edge.now, next) }
            return
        }
        try advanceEffect()
    }

    private mutating func deliverNotice() throws {
        guard let event = notices.next(&random) else { return }
        if !notices.isEmpty { user.ledger.race() }
        try tell(event)
    }

    private mutating func command() throws {
        switch random.below(9) {
        case 0: try tell(.command(.syncNow))
        case 1: try tell(.command(.pause))
        case 2: try tell(.command(.resume))
        case 3: try answerDeletions()
        case 4...7: try resolveSomething()
        default: try changeExcludes()
        }
    }

    /// The process is killed between two events; the machine goes on.
    private mutating func kill() throws {
        log { "killed" }
        loseUnwrittenMoves()
        user.ledger.interrupt()
        try store.crash()
        if random.oneIn(2) { try backUpStore() }
        try begin()
    }

    private mutating func backUpStore() throws {
        try store.backUp()
        user.ledger.backUp()
    }

    private mutating func changeExcludes() throws {
        let choices = [[], ["c"], ["d/"], ["*.txt", "A"]]
        excludes = ExcludePatterns((random.pick(choices) ?? []).map { Array($0.utf8) })
        user.setExcludes(excludes, edge)
        user.ledger.beginUnion()
        try tell(.command(.setExcludes(excludes)))
    }

    private mutating func changeRoot() throws {
        // A file system in a folder that goes, or comes from a backup, is another matter.
        if edge.roots != [.own, .own] { return try bringRootsBack() }
        if try edge.mountSide == nil && store.knowsRoots() { try loseRoot() }
    }

    /// A root goes away, and the watcher may tell that what was in it is gone.
    private mutating func loseRoot() throws {
        let side: Side = random.oneIn(2) ? .local : .remote
        let paths = edge[side].walk().map(\.path)
        edge.loseRoot(side, to: random.oneIn(2) ? .missing : .another)
        user.ledger.disturb()
        log { "root of \(side) is now \(edge.roots)" }
        if !paths.isEmpty && random.oneIn(2) {
            notices.add(Array(paths.prefix(random.below(4) + 1)), on: side, &random)
        }
    }

    private mutating func backUpRemote() {
        if edge.mountSide == nil && edge.roots[1] == .own { remoteBackup = edge[.remote].state }
    }

    /// The remote is put back as it was: what was nowhere else is lost with it, and nothing besides.
    private mutating func putRemoteBack() {
        guard let remoteBackup, edge.mountSide == nil, edge.roots == [.own, .own] else { return }
        let before = edge[.remote]
        edge[.remote].putBack(remoteBackup, now: edge.now)
        var local = edge[.local]
        local.loseVolatile()
        user.lose(
            allBut: presentContents(),
            durable: local.numbers.union(local.state.kept).union(edge[.remote].numbers).union(edge[.remote].state.kept))
        noteRestored(from: before)
        log { "the remote is as it was once" }
        notices.overflow(.remote)
    }

    private mutating func bringRootsBack() throws {
        for side in Side.allCases where edge.away[Int(side.rawValue)] != nil {
            let isUntouched = edge.bringRootBack(side)
            edge.finishDisplacements()
            if !isUntouched { throw violation("another root on \(side) was changed") }
            notices.overflow(side)
            log { "root of \(side) is back" }
        }
    }

    private mutating func resolveSomething() throws {
        let conflicts = try store.trees.nodes(inState: .conflict, after: .none, limit: 100)
        guard let node = random.pick(conflicts) else { return }
        user.ledger.choose()
        try tell(.command(.resolve(node, [.mine, .theirs, .both][random.below(3)])))
    }

    private mutating func advanceEffect() throws {
        let index = random.below(pending.count)
        if pending[index].result == nil {
            if case .stage = pending[index].effect, !pending[index].hasBegun, random.oneIn(2) {
                pending[index].hasBegun = true
                return try tell(.began(pending[index].id))
            }
            if hasFaults && pending[index].stepped == nil && random.oneIn(25) {
                pending[index].result = .failed(.injected(into: pending[index].effect, &random))
                user.ledger.disturb()
            } else {
                try advanceOrCarryOut(index)
                guard let result = pending[index].result else { return }
                pending[index].result = cutShort(result)
            }
            if random.oneIn(3) { return }
        }
        try checkRemoval(pending[index])
        try checkMount(pending[index])
        if let leak = edge.leaks.first { throw violation(leak) }
        let done = pending.remove(at: index)
        guard let result = done.result else { return }
        log { "carried out \(done.effect)" }
        // Some are told together.
        if let other = pending.firstIndex(where: { $0.result != nil }), let second = pending[other].result {
            let next = pending.remove(at: other)
            return try tell(.effect(done.id, result), .effect(next.id, second))
        }
        try tell(.effect(done.id, result))
    }

    /// Listings come short at times, and say so.
    private mutating func cutShort(_ result: EffectResult) -> EffectResult {
        guard hasFaults, random.oneIn(25), case .listing(let entries, _, tag: _) = result else { return result }
        user.ledger.disturb()
        return .listing(Array(entries.prefix(random.below(entries.count + 1))), isComplete: false)
    }

    private mutating func crash() throws {
        user.ledger.interrupt()
        // Some of what was under way happened, whatever the session knows of it.
        for index in pending.indices where pending[index].result == nil && random.oneIn(2) {
            if pending[index].effect.footprint.barrier != nil { continue }
            try carryOutSomeSteps(index)
        }
        // What was fetched in this moment is not written down either.
        user.ledger.interrupt()
        loseUnwrittenMoves()
        for side in Side.allCases {
            let before = edge.own(side).numbers
            edge[side].crash(&random)
            edge.away[Int(side.rawValue)]?.crash(&random)
            user.crash(side, leaving: edge.own(side), before: before)
        }
        user.forgive(allBut: presentContents())
        try checkNothingPartial()
        try store.crash()
        switch random.below(8) {
        case 0:
            try store.restoreBackup()
            user.ledger.restoreBackup()
        case 1:
            try store.lose()
            user.ledger.beginUnion()
        case 2: try backUpStore()
        default: break
        }
        if random.oneIn(10) {
            edge.generation += 1
            user.ledger.beginUnion()
        }
        log { "crash" }
        try begin()
    }

    // MARK: Rest

    /// No more faults and edits: everything that is under way comes to its end, by what the watcher tells alone.
    mutating func rest() throws {
        hasFaults = false
        edge.opened = []
        try bringRootsBack()
        try tell(.command(.resume))
        if unmounted != nil {
            // Whatever the user confirms: what is not mounted is not deleted.
            try tell(.command(.syncNow))
            try workOff()
            bringMountBack()
        }
        try restRefused()
        try workOff()
        try checkRest()
        try agree()
        guard has(.deletedTrees) else { return }
        // What was written a moment ago is known for certain from the next look on, and the tags from the one after.
        edge.now += 10_000_000_000
        for _ in 0..<2 {
            try tell(.command(.syncNow))
            try workOff()
        }
        try checkRest()
    }

    /// Works until nothing is left to do but what waits for a person, and every question is answered.
    ///
    /// - Parameter isCutShort: Whether it ends after that time though something is left.
    mutating func workOff(seconds: Int64 = 1_000, isCutShort: Bool = false) throws {
        let limit = seconds * 1_000_000_000
        var end = edge.now + limit
        var hasRested = false
        while true {
            passTime()
            if isCutShort && edge.now > end { return }
            if isAtRest {
                // Where each step takes long, what is to be tried again is so only from now on.
                if !hasRested && !isCutShort { end = edge.now + limit }
                hasRested = true
                if heldDeletions != nil {
                    try answerDeletions()
                } else if isAskingAboutRestore {
                    user.ledger.beginUnion()
                    try tell(.command(.syncAnswering(random.oneIn(2) ? .unite : .acceptRemote)))
                } else if timers.isEmpty || edge.now > end {
                    return
                } else {
                    // A timer may be late.
                    edge.now = max(edge.now, (timers.next ?? 0) + Int64(random.below(1_000)) * 1_000_000)
                }
            } else if pending.isEmpty && notices.isEmpty && timers.isEmpty {
                throw violation("it stands still")
            }
            try step()
        }
    }
}

extension SessionEvent {
    /// Whether every pending item looks different afterwards, which is not told one by one.
    fileprivate var changesEverything: Bool {
        switch self {
        case .command(let command): command == .pause || command == .resume
        case .start, .began, .effect, .progress, .changed, .timer: false
        }
    }
}
