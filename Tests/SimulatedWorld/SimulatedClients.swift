import SyncCore
import TestSupport

/// Two or three clients on one remote, each with a disk, a store and a session of its own; people change all of them.
struct SimulatedClients: ScriptedWorld {
    /// One computer.
    private struct Client {
        var store: any CrashableStore
        var session: SyncSession
        /// Its own disk, and the remote while it acts there.
        var edge: SimulatedEdge
        var pending: [(id: EffectID, effect: Effect, result: EffectResult?)] = []
        var notices = Notices()
        var timers = SimulatedTimers()
        var isQuiescent = false
        /// The side on which many deletions are held back until a person answers; nil if none are.
        var heldDeletions: Side?
        /// Deletions that were decided on before there were many: they go their way, whatever the person answers.
        var deletedBefore = 0
        /// Whether the person puts back what was deleted, once they were asked since all agreed.
        var declines: Bool?
        var isAskingAboutRestore = false

        var isAtRest: Bool { isQuiescent && pending.isEmpty && notices.isEmpty }
    }

    /// Where people act: on the disk of a client, or on the remote.
    private enum Place: Hashable {
        case client(Int)
        case remote
    }

    let script: SimulatedScript
    let isVerbose: Bool
    let mayFail: Bool
    private let pace: Int64
    private let start = ContinuousClock.now
    var random: SeededRandom
    private var clients: [Client] = []
    private var remote: SimulatedDisk
    private var user = SimulatedUser()
    private var now: Int64 = 1_000_000_000
    private var steps = 0
    var hasFaults = false
    private var trace = Hasher()

    // What happened since all agreed.
    private var touched: Set<Place> = []
    private var acts = 0
    /// Names under which new contents may stand.
    private var written = 0
    private var conflicts = 0
    private var transfers = 0
    private var mutations = 0
    /// Whether all agreed and nothing failed since.
    private var isClean = false
    /// What stood in the one place where people acted after they did.
    private var wanted: [RelativePath: String] = [:]
    /// Files that were deleted in the one place where people acted, and put back.
    private var declined: Set<Int> = []

    /// Plays a script; what the sessions did in it, in one number.
    static func run(_ script: SimulatedScript, store: any CrashableStore, isVerbose: Bool) throws -> UInt64 {
        var clients = SimulatedClients(script, store: store, isVerbose: isVerbose)
        try clients.live()
        return UInt64(bitPattern: Int64(clients.trace.finalize()))
    }

    private init(_ script: SimulatedScript, store: any CrashableStore, isVerbose: Bool) {
        self.script = script
        self.isVerbose = isVerbose
        random = SeededRandom(seed: script.world)
        let grain: Int64 = [1, 1_000, 4_000_000, 2_000_000_000][random.below(4)]
        pace = [1, 1_000, 1_000_000, 100_000_000][random.below(4)]
        mayFail = random.oneIn(3)
        remote = SimulatedDisk(grain: grain)
        user.sweeps = script.traits.contains(.sweeps)
        user.links = script.traits.contains(.hardLinks)
        for number in 0..<(2 + random.below(2)) {
            let own: any CrashableStore = number == 0 ? store : CrashableMemoryStore()
            var client = Client(store: own, session: Self.session(own, number), edge: SimulatedEdge(grain: grain))
            client.edge.pages.size = [1, 2, 3, Int.max][random.below(4)]
            clients.append(client)
        }
    }

    private static func session(_ store: any CrashableStore, _ number: Int) -> SyncSession {
        SyncSession(
            store: store.trees,
            configuration: SessionConfiguration(tag: "TST\(number)", concurrency: 4, operationLimit: 2_048))
    }

    private mutating func live() throws {
        if user.sweeps { fill() }
        for _ in 0..<random.below(8) { edit(.remote) }
        for number in clients.indices {
            for _ in 0..<random.below(5) { edit(.client(number)) }
        }
        for number in clients.indices { try begin(number) }
        if random.oneIn(2) { try rest() }
        try playActs()
        try rest()
        try checkSilence()
    }

    mutating func play(_ kind: SimulatedScript.Act.Kind) throws {
        now += Int64(1 + random.below(20)) * pace
        let number = random.below(clients.count)
        switch kind {
        case .local: edit(.client(number))
        case .remote: edit(random.oneIn(2) ? .remote : .client(number))
        case .step: for _ in clients { try step(random.below(clients.count)) }
        case .command: try tell(number, .command(.syncNow))
        case .kill: try stop(number, withMachine: false)
        case .crash: try stop(number, withMachine: true)
        case .rest: try rest()
        case .mount, .root, .backup, .putBack: break
        }
    }

    // MARK: People

    private mutating func edit(_ place: Place) {
        let (number, side): (Int, Side) =
            switch place {
            case .client(let number): (number, .local)
            case .remote: (0, .remote)
            }
        bringRemote(to: number)
        let paths = user.edit(&clients[number].edge, side, &random)
        if paths.isEmpty { return }
        takeRemote(from: number)
        clients[number].edge[.local].writeBack()
        log { "people in \(place): \(paths), which holds now \(contents(of: clients[number].edge[side]))" }
        acts += 1
        written += names(ofWhatStandsAt: paths, clients[number].edge[side])
        touched.insert(place)
        // Which of it a person deleted or changed again is not followed.
        declined = []
        if user.onBothSides { touched.formUnion([.remote, .client(number)]) }
        wanted = synced(clients[number].edge[side])
        for side in user.onBothSides ? Side.allCases : [side] {
            notice(paths, side, number, hasMoves: user.hasMovedDirectory)
        }
        if user.isUntold {
            for each in side == .local ? [number] : Array(clients.indices) { clients[each].notices.overflow(side) }
        }
    }

    /// Under how many names something new may stand after a change: what is written under one name of a file is new under
    /// each.
    private func names(ofWhatStandsAt paths: [RelativePath], _ disk: SimulatedDisk) -> Int {
        if !user.links { return 1 }
        // That one name is replaced changes a time of the file: what is under way to another one is brought once more.
        let contents = Set(paths.compactMap { disk.inode(at: $0) }.compactMap { disk.state.inodes[$0]?.content })
        return 2 * max(1, disk.numbers(from: SimulatedDisk.root, only: .file).count { contents.contains($0) })
    }

    /// A directory of many files stands on the remote at the beginning.
    private mutating func fill() {
        bringRemote(to: 0)
        user.fill(&clients[0].edge, .remote, files: 24, &random)
        takeRemote(from: 0)
    }

    private mutating func notice(
        _ paths: [RelativePath], _ side: Side, _ number: Int, hasMoves: Bool = false
    ) {
        let clients = side == .local ? [number] : Array(self.clients.indices)
        for each in clients { self.clients[each].notices.add(paths, on: side, hasMoves: hasMoves, &random) }
    }

    private mutating func bringRemote(to number: Int) {
        clients[number].edge[.remote] = remote
        clients[number].edge.now = now
    }

    private mutating func takeRemote(from number: Int) { remote = clients[number].edge[.remote] }

    // MARK: The sessions

    private mutating func begin(_ number: Int) throws {
        bringRemote(to: number)
        clients[number].notices.removeAll()
        clients[number].edge.finishDisplacements()
        clients[number].edge.staged = [:]
        clients[number].pending = []
        clients[number].timers = SimulatedTimers()
        (clients[number].isQuiescent, clients[number].isAskingAboutRestore) = (false, false)
        clients[number].heldDeletions = nil
        takeRemote(from: number)
        clients[number].session = Self.session(clients[number].store, number)
        try tell(number, .start)
    }

    private mutating func stop(_ number: Int, withMachine: Bool) throws {
        log { withMachine ? "machine \(number) stops" : "session \(number) is killed" }
        isClean = false
        if withMachine {
            for waiting in clients[number].pending where waiting.result == nil && random.oneIn(2) {
                if waiting.effect.footprint.barrier == nil { _ = try carryOut(waiting.effect, number) }
            }
            clients[number].edge[.local].crash(&random)
        }
        try clients[number].store.crash()
        try begin(number)
    }

    private mutating func tell(_ number: Int, _ events: SessionEvent...) throws {
        for event in events { log { "\(number) -> \(event)" } }
        let moment = Moment(
            instant: start + .nanoseconds(now), unixSeconds: 1_700_000_000 + now / 1_000_000_000)
        let actions: [SessionAction]
        do {
            actions = try clients[number].session.handle(events, now: moment)
        } catch let failure as EffectFailure {
            log { "session \(number) ends: \(failure)" }
            return try stop(number, withMachine: false)
        }
        for action in actions {
            trace.combine(action)
            log { "\(number)    \(action)" }
            switch action {
            case .run(let id, let effect):
                clients[number].isQuiescent = false
                clients[number].pending.append((id, effect, nil))
            case .setTimer(let timer, let delay):
                clients[number].timers.set(timer, after: delay, at: now)
            case .folderStatus(let status):
                clients[number].heldDeletions = nil
                if case .confirmDeletes(_, let side) = status.phase { clients[number].heldDeletions = side }
                clients[number].deletedBefore = status.deletedBefore
                clients[number].isAskingAboutRestore = status.stopReason == .remoteRestored
            case .quiescent: clients[number].isQuiescent = true
            case .publish, .activity, .hasten, .abandon, .demand, .finished: break
            }
        }
    }

    private mutating func step(_ number: Int) throws {
        steps += 1
        if steps > 40_000 { throw violation("it does not come to an end") }
        // In place: a client that is taken out is copied with its session.
        if !clients[number].notices.isEmpty, clients[number].pending.isEmpty || random.oneIn(3) {
            guard let event = clients[number].notices.next(&random) else { return }
            return try tell(number, event)
        }
        if let due = clients[number].timers.takeDue(at: now) { return try tell(number, .timer(due)) }
        if clients[number].pending.isEmpty {
            if let next = clients[number].timers.next { now = max(now, next) }
            return
        }
        try advanceEffect(number)
    }

    private mutating func advanceEffect(_ number: Int) throws {
        let index = random.below(clients[number].pending.count)
        if clients[number].pending[index].result == nil {
            if hasFaults && random.oneIn(25) {
                isClean = false
                clients[number].pending[index].result = .failed(
                    .injected(into: clients[number].pending[index].effect, &random))
            } else {
                clients[number].pending[index].result = try carryOut(clients[number].pending[index].effect, number)
            }
            if random.oneIn(3) { return }
        }
        let done = clients[number].pending.remove(at: index)
        guard let result = done.result else { return }
        log { "\(number) carried out \(done.effect)" }
        try tell(number, .effect(done.id, result))
    }

    private mutating func carryOut(_ effect: Effect, _ number: Int) throws -> EffectResult {
        bringRemote(to: number)
        let before = clients[number].edge.mutations
        let result = clients[number].edge.carryOut(effect)
        takeRemote(from: number)
        let did = clients[number].edge.mutations - before
        mutations += did
        if case .failed = result { return result }
        let footprint = effect.footprint
        if footprint.has(.stage) { transfers += 1 }
        if case .displace = effect { conflicts += 1 }
        guard footprint.isChange, let side = footprint.side else { return result }
        if did > 0, isClean, touched.count == 1 {
            if touched.contains(side == .local ? .client(number) : .remote), !hasUnsynced,
                !isForOtherNames(effect, on: clients[number].edge[side])
            {
                throw violation("a change where people acted, though they acted nowhere else: \(effect)")
            }
        }
        notice(footprint.changedPaths, side, number)
        return result
    }

    /// Whether an effect sets permissions of a file that has, or had, other names: what is set on a disk for one name is for
    /// all, and follows from there under the others.
    private func isForOtherNames(_ effect: Effect, on disk: SimulatedDisk) -> Bool {
        guard case .setPermissions(_, let path, .file, _, _) = effect, let number = disk.inode(at: path),
            let content = disk.state.inodes[number]?.content
        else { return false }
        return user.ledger.isMultiple(content)
    }

    // MARK: Rest

    private mutating func rest(isLast: Bool = false) throws {
        hasFaults = false
        var end: Int64?
        while true {
            now += Int64(1 + random.below(20)) * pace
            try answer()
            guard clients.indices.allSatisfy({ clients[$0].isAtRest }) else {
                let busy = clients.indices.filter { !clients[$0].isAtRest }
                if busy.allSatisfy({
                    clients[$0].pending.isEmpty && clients[$0].notices.isEmpty && clients[$0].timers.isEmpty
                }) {
                    throw violation("it stands still")
                }
                try step(random.pick(busy) ?? 0)
                continue
            }
            // Where each step takes long, what is to be tried again is so only from now on.
            let limit = end ?? now + 1_000_000_000_000
            end = limit
            let waiting = clients.indices.filter { !clients[$0].timers.isEmpty }
            guard let next = waiting.compactMap({ clients[$0].timers.next }).min(), now < limit else { break }
            now = max(now, next)
            for number in waiting { try step(number) }
        }
        try check()
        if !isLast { agree() }
    }

    private mutating func answer() throws {
        for number in clients.indices where clients[number].isAtRest {
            try answerDeletions(number)
            if clients[number].isAskingAboutRestore { try tell(number, .command(.syncAnswering(.unite))) }
        }
    }

    /// Confirms deletions that are held back, or has everything put back that is missing: until all agree, the same each
    /// time.
    private mutating func answerDeletions(_ number: Int) throws {
        guard let side = clients[number].heldDeletions else { return }
        let isDeclined = clients[number].declines ?? (user.sweeps && random.oneIn(2))
        clients[number].declines = isDeclined
        if !isDeclined { return try tell(number, .command(.confirmDeletes)) }
        bringRemote(to: number)
        let edge = clients[number].edge
        if isClean && clients[number].deletedBefore == 0
            && touched == [side == .remote ? .client(number) : .remote]
        {
            let (left, others) = (files(edge[side]), files(edge[side.other]))
            // What was overwritten, or replaced by another file, is not missing.
            declined = left.subtracting(others).filter { !user.ledger.isReplaced($0, by: others) }
        }
        isClean = false
        try tell(number, .command(.restoreDeleted))
    }

    /// The contents of the files of a disk that are to be synced.
    private func files(_ disk: SimulatedDisk) -> Set<Int> {
        let inodes = synced(disk).keys.compactMap { disk.inode(at: $0) }.compactMap { disk.state.inodes[$0] }
        return Set(inodes.filter { $0.kind == .file }.map(\.content))
    }

    private mutating func agree() {
        for number in clients.indices { clients[number].edge[.local].writeBack() }
        remote.writeBack()
        touched = []
        declined = []
        for number in clients.indices { clients[number].declines = nil }
        (acts, written, conflicts, transfers, mutations) = (0, 0, 0, 0, 0)
        // What waits until something is out of its way comes later, whoever acts then.
        isClean = !hasUnsynced
    }

    /// What is to be synced of a disk.
    private func contents(of disk: SimulatedDisk) -> [RelativePath: String] {
        var found: [RelativePath: String] = [:]
        for (path, number) in disk.walk() {
            guard let inode = disk.state.inodes[number] else { continue }
            found[path] = inode.kind == .directory ? "directory" : "\(inode.kind) \(inode.content)"
        }
        return found
    }

    /// What of a disk is to be synced.
    private func synced(_ disk: SimulatedDisk) -> [RelativePath: String] {
        let excludes = ExcludePatterns()
        return contents(of: disk).filter { path, _ in
            !(1...path.names.count).contains { depth in
                let above = RelativePath(Array(path.names.prefix(depth)))
                let kind = disk.inode(at: above).flatMap { disk.state.inodes[$0]?.kind } ?? .special
                return kind == .symlink || excludes.excludes(above, kind: kind)
            }
        }
    }

    /// Paths at which a link stands somewhere: nothing is synced there.
    private func isApart(_ path: RelativePath) -> Bool {
        (1...path.names.count).contains { depth in
            let above = RelativePath(Array(path.names.prefix(depth)))
            return clients.contains { client in
                let disk = client.edge[.local]
                return disk.inode(at: above).flatMap { disk.state.inodes[$0]?.kind } == .symlink
            }
        }
    }

    /// Whether anything is not synced: a directory that holds such a thing stays, and what is in its way waits.
    private var hasUnsynced: Bool {
        (clients.map { $0.edge[.local] } + [remote]).contains { synced($0).count != $0.walk().count }
    }

    private func check() throws {
        let trees = clients.map { synced($0.edge[.local]) } + [synced(remote)]
        for client in clients {
            let errors = try client.store.trees.nodes(inState: .error, after: .none, limit: 10)
            // What is in the way of something is not synced.
            if errors.isEmpty { continue }
            if hasUnsynced { return }
            throw violation("\(errors) have errors: \(try client.store.trees.status(errors[0])?.message as Any)")
        }
        for (number, tree) in trees.dropLast().enumerated() {
            for path in Set(tree.keys).union(trees[trees.count - 1].keys).sorted(by: { "\($0)" < "\($1)" })
            where tree[path] != trees[trees.count - 1][path] && !isApart(path) {
                let there = trees[trees.count - 1][path] ?? "absent"
                throw violation("\(path) is \(tree[path] ?? "absent") on \(number) and \(there) on the remote")
            }
        }
        try checkConservation()
        if let gone = declined.subtracting(files(remote)).min(), !hasUnsynced {
            throw violation("\(gone) was put back, but is not there")
        }
        if conflicts > acts && isClean { throw violation("\(conflicts) conflicts of \(acts) changes") }
        guard isClean, touched.count == 1, !hasUnsynced else { return }
        if conflicts > 0 { throw violation("\(conflicts) conflicts, though people acted in one place") }
        if trees[0] != wanted { throw violation("what people did in one place did not arrive as it was") }
        if transfers > written * clients.count {
            throw violation("\(transfers) transfers of \(written) changes")
        }
    }

    private func checkConservation() throws {
        var present = Set(remote.numbers(from: SimulatedDisk.root, only: .file))
        for client in clients {
            present.formUnion(client.edge[.local].numbers(from: SimulatedDisk.root, only: .file))
            present.formUnion(client.edge[.local].state.kept)
        }
        let lost = user.owned.subtracting(present).sorted()
        if !lost.isEmpty { throw violation("contents \(lost) were lost") }
        if present.contains(SimulatedDisk.rubbish) { throw violation("somewhere are partial contents") }
    }

    /// Run again there is nothing to do for anybody.
    private mutating func checkSilence() throws {
        for number in clients.indices {
            try clients[number].store.crash()
            try begin(number)
        }
        mutations = 0
        try rest(isLast: true)
        if mutations > 0 && !hasUnsynced { throw violation("the second run did \(mutations) things") }
    }
}
