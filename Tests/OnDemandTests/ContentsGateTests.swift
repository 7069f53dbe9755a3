import MountProtocol
import OnDemand
import Support
import SystemPackage
import TestSupport
import Testing

@Suite("The gate of contents")
struct ContentsGateTests {
    private static let node = NodeNumber(rawValue: 7)
    private static let contents = Placeholder(size: 10, version: [1])!
    private var gate = ContentsGate()
    private let now = Instant(nanoseconds: 1_000)

    private static func opening(_ request: UInt64, flags: Int32 = 0) -> Arrival {
        Arrival(request: request, node: node, thread: Int32(request), purpose: .open(flags: flags))
    }

    private static func emptying(_ request: UInt64) -> Arrival { opening(request, flags: OpenFlags.truncate | 1) }

    private static func filling(_ request: UInt64, _ fetch: UInt64?) -> ContentsTask {
        let fill = ContentsTask.Fill(
            fetch: fetch.map { FetchNumber(rawValue: $0) }, staged: NodePath([]), version: [1])
        return ContentsTask(request: request, node: node, kind: .fill(fill))
    }

    private static func freeing(_ request: UInt64) -> ContentsTask {
        ContentsTask(
            request: request, node: node,
            kind: .free(FreedFile(size: 1, modified: 0, changed: 0, version: [])))
    }

    private static let first = FetchNumber(rawValue: 1)

    /// A worker is there, and requests with these numbers wait for contents.
    private mutating func startFetch(_ requests: UInt64...) {
        _ = gate.setWorker(true)
        for request in requests {
            let arrival = Self.opening(request)
            expectEqual(gate.arrive(arrival), [.pass(arrival)])
            let actions = gate.missing(arrival, Self.contents, now: now)
            #expect(actions == (request == requests[0] ? [.fetch(Self.first, Self.contents, arrival)] : []))
        }
    }

    @Test("many pass at once and keep an item open")
    mutating func passing() {
        for request in 1...3 as ClosedRange<UInt64> {
            expectEqual(gate.arrive(Self.opening(request)), [.pass(Self.opening(request))])
        }
        expectEqual(gate.opened(Self.node), [])
        expectEqual(gate.left(Self.node), [])
        expectEqual(gate.opened(Self.node), [])
    }

    @Test("two who want the same contents make one fetch, and both are let in when it is done")
    mutating func oneFetch() {
        startFetch(1, 2)
        let task = Self.filling(9, 1)
        expectEqual(gate.fill(task), [.work(task)])
        // Who comes meanwhile comes after them.
        expectEqual(gate.arrive(Self.opening(3)), [])
        expectEqual(
            gate.ended(task, nil, isResized: false),
            [
                .answer(9, nil), .pass(Self.opening(1)), .pass(Self.opening(2)), .pass(Self.opening(3)),
            ])
        #expect(gate.node(of: Self.first) == nil)
    }

    @Test("without a worker nothing is waited for; when it goes, who waits gets an error")
    mutating func workerGone() {
        _ = gate.arrive(Self.opening(1))
        expectEqual(
            gate.missing(Self.opening(1), Self.contents, now: now), [.refuse(Self.opening(1), .networkUnreachable)])
        startFetch(2, 3)
        expectEqual(gate.setWorker(false), [.refuse(Self.opening(2), .ioError), .refuse(Self.opening(3), .ioError)])
        #expect(gate.deadline == nil)
    }

    @Test("contents that have come are put in, whether the worker is there still or not")
    mutating func workerGoneWhileFilling() {
        startFetch(1)
        let task = Self.filling(9, 1)
        _ = gate.fill(task)
        expectEqual(gate.setWorker(false), [])
        expectEqual(gate.ended(task, nil, isResized: false), [.answer(9, nil), .pass(Self.opening(1))])
    }

    @Test(
        "a fetch that fails has everybody fail with its error",
        arguments: [Errno.networkUnreachable, .noSpace, .permissionDenied])
    mutating func failed(error: Errno) {
        startFetch(1, 2)
        expectEqual(
            gate.fail(Self.first, with: error, request: 9),
            [.refuse(Self.opening(1), error), .refuse(Self.opening(2), error), .answer(9, nil)])
        expectEqual(gate.fail(Self.first, with: error, request: 10), [.answer(10, .canceled)])
    }

    @Test(
        "contents that cannot be put in have everybody fail, with what concerns them",
        arguments: [(Errno.noSpace, Errno.noSpace), (.invalidArgument, .ioError), (.staleNFSFileHandle, .ioError)])
    mutating func notFilled(error: Errno, told: Errno) {
        startFetch(1)
        let task = Self.filling(9, 1)
        _ = gate.fill(task)
        expectEqual(gate.ended(task, error, isResized: false), [.refuse(Self.opening(1), told), .answer(9, error)])
        // The next asks anew.
        _ = gate.arrive(Self.opening(2))
        expectEqual(
            gate.missing(Self.opening(2), Self.contents, now: now),
            [.fetch(FetchNumber(rawValue: 2), Self.contents, Self.opening(2))])
    }

    @Test("what nobody waits for any more is called off")
    mutating func interrupted() {
        startFetch(1, 2)
        expectEqual(gate.interrupted(1), [.look(Self.opening(1))])
        expectEqual(gate.endWait(of: 1), [.refuse(Self.opening(1), .interrupted)])
        expectEqual(gate.endWait(of: 1), [])
        expectEqual(gate.endWait(of: 2), [.refuse(Self.opening(2), .interrupted), .cancel(Self.first)])
        expectEqual(gate.fill(Self.filling(9, 1)), [.answer(9, .canceled)])
    }

    @Test("an interruption that is read before the request is not lost")
    mutating func earlyInterruption() {
        _ = gate.setWorker(true)
        expectEqual(gate.interrupted(1), [])
        _ = gate.arrive(Self.opening(1))
        expectEqual(
            gate.missing(Self.opening(1), Self.contents, now: now),
            [.fetch(Self.first, Self.contents, Self.opening(1)), .look(Self.opening(1))])
    }

    @Test("signals that do not end a wait are looked at again")
    mutating func patience() throws {
        startFetch(1)
        gate.goOnWaiting(1, now: now)
        let time = try #require(gate.deadline)
        #expect(time == now + Patience.Mount.signals)
        expectEqual(gate.passTime(now: now), [])
        expectEqual(gate.passTime(now: time), [.look(Self.opening(1))])
    }

    @Test("a fetch of which nothing is heard is given up, one that goes on is not")
    mutating func timeOut() throws {
        startFetch(1)
        let time = try #require(gate.deadline)
        gate.progressed(Self.first, now: time)
        expectEqual(gate.passTime(now: time), [])
        let later = try #require(gate.deadline)
        expectEqual(gate.passTime(now: later), [.refuse(Self.opening(1), .timedOut), .cancel(Self.first)])
        #expect(gate.deadline == nil)
    }

    @Test("emptying needs no contents and calls a fetch off; who waited sees what is there then")
    mutating func emptying() {
        startFetch(1)
        let truncation = Self.emptying(2)
        expectEqual(gate.arrive(truncation), [.pass(truncation)])
        expectEqual(gate.missing(truncation, Self.contents, now: now), [.empty(truncation)])
        expectEqual(
            gate.emptied(truncation, isOpen: true, isEmpty: true),
            [.cancel(Self.first), .pass(Self.opening(1).resized())])
    }

    @Test("emptying waits for those who look, and they for it")
    mutating func emptyingWaits() {
        _ = gate.setWorker(true)
        let truncation = Self.emptying(2)
        _ = gate.arrive(Self.opening(1))
        _ = gate.arrive(truncation)
        expectEqual(gate.missing(truncation, Self.contents, now: now), [])
        expectEqual(gate.arrive(Self.opening(3)), [])
        expectEqual(
            gate.missing(Self.opening(1), Self.contents, now: now),
            [.fetch(Self.first, Self.contents, Self.opening(1)), .empty(truncation)])
        expectEqual(
            gate.emptied(truncation, isOpen: false, isEmpty: true),
            [.cancel(Self.first), .pass(Self.opening(1).resized()), .pass(Self.opening(3).resized())])
    }

    @Test("emptying and filling at once: one after the other")
    mutating func emptyingWhileFilling() {
        startFetch(1)
        let (task, truncation) = (Self.filling(9, 1), Self.emptying(2))
        _ = gate.fill(task)
        expectEqual(gate.arrive(truncation), [])
        expectEqual(
            gate.ended(task, nil, isResized: false), [.answer(9, nil), .pass(Self.opening(1)), .pass(truncation)])
    }

    @Test("contents that come for what was emptied and opened meanwhile are not put in")
    mutating func fillingWhatIsOpen() {
        startFetch(1)
        let (task, truncation) = (Self.filling(9, nil), Self.emptying(2))
        _ = gate.arrive(truncation)
        _ = gate.missing(truncation, Self.contents, now: now)
        expectEqual(gate.fill(task), [])
        let actions = gate.emptied(truncation, isOpen: true, isEmpty: true)
        #expect(actions == [.cancel(Self.first), .pass(Self.opening(1).resized())])
        expectEqual(gate.opened(Self.node), [.answer(9, .alreadyInProcess)])
    }

    @Test("who waits for contents waits on while the placeholder is described; without any they are here")
    mutating func described() {
        startFetch(1)
        func describing(_ request: UInt64, size: UInt64) -> ContentsTask {
            let contents = Placeholder(size: size, version: [2])!
            let file = DescribedFile(size: 1, modified: 0, changed: 0, contents: contents, date: 0)
            return ContentsTask(request: request, node: Self.node, kind: .describe(file))
        }
        let task = describing(9, size: 5)
        expectEqual(gate.describe(task), [.work(task)])
        expectEqual(gate.arrive(Self.opening(2)), [])
        expectEqual(gate.ended(task, nil, isResized: false), [.answer(9, nil), .pass(Self.opening(2))])
        #expect(gate.node(of: Self.first) != nil)
        _ = gate.left(Self.node)
        let emptying = describing(10, size: 0)
        expectEqual(gate.describe(emptying), [.work(emptying)])
        expectEqual(
            gate.ended(emptying, nil, isResized: false),
            [.cancel(Self.first), .answer(10, nil), .pass(Self.opening(1))])
        _ = gate.opened(Self.node)
        expectEqual(gate.describe(task), [.answer(9, .alreadyInProcess)])
    }

    @Test("who asked before an item got another size has to begin again, once, however it is resized")
    mutating func resized() {
        startFetch(1)
        let task = Self.filling(9, 1)
        expectEqual(gate.fill(task), [.work(task)])
        expectEqual(gate.arrive(Self.opening(2)), [])
        expectEqual(gate.arrive(Self.emptying(3)), [])
        expectEqual(
            gate.ended(task, nil, isResized: true),
            [
                .answer(9, nil), .pass(Self.opening(1).resized()), .pass(Self.opening(2).resized()),
                .pass(Self.emptying(3)),
            ])
        #expect(Self.opening(1).resized().isOutdated && !Self.emptying(3).resized().isOutdated)
        // They have looked.
        for request in 1...3 as ClosedRange<UInt64> {
            _ = gate.left(Self.node) + gate.arrive(Self.opening(request + 3))
        }
        for _ in 1...3 { _ = gate.left(Self.node) }
        expectEqual(gate.arrive(Self.opening(7)), [.pass(Self.opening(7))])
        _ = gate.left(Self.node)
        // One may be on its way while nobody is seen to wait.
        expectEqual(gate.fill(Self.filling(10, nil)), [.work(Self.filling(10, nil))])
        expectEqual(gate.ended(Self.filling(10, nil), nil, isResized: true), [.answer(10, nil)])
        expectEqual(gate.arrive(Self.opening(8)), [.pass(Self.opening(8).resized())])
        expectEqual(gate.arrive(Self.opening(9)), [.pass(Self.opening(9))])
    }

    @Test("what is in use is not freed")
    mutating func busy() {
        let task = Self.freeing(9)
        _ = gate.arrive(Self.opening(1))
        expectEqual(gate.free(task), [.answer(9, .resourceBusy)])
        _ = gate.opened(Self.node)
        expectEqual(gate.free(task), [.answer(9, .resourceBusy)])
        expectEqual(gate.closed(Self.node), [])
        expectEqual(gate.free(task), [.work(task)])
        expectEqual(gate.free(Self.freeing(10)), [.answer(10, .resourceBusy)])
        expectEqual(gate.arrive(Self.opening(2)), [])
        expectEqual(gate.ended(task, nil, isResized: false), [.answer(9, nil), .pass(Self.opening(2))])
    }

    @Test("a placeholder gets no second name")
    mutating func links() throws {
        let spot = NodeTree.Spot(parent: .root, name: try #require(NodeName("b".utf8)))
        let link = Arrival(request: 1, node: Self.node, thread: 1, purpose: .link(spot))
        _ = gate.arrive(link)
        expectEqual(gate.missing(link, Self.contents, now: now), [.refuse(link, .notPermitted)])
    }

    @Test("who waits for what is deleted looks again what is there")
    mutating func deleted() {
        startFetch(1)
        expectEqual(gate.gone(Self.node), [.refuse(Self.opening(1), .staleNFSFileHandle), .cancel(Self.first)])
        expectEqual(gate.gone(Self.node), [])
    }

    @Test("whatever an attribute needs, it waits for its turn")
    func needs() {
        func need(_ change: (inout AttributeChange) -> Void) -> Arrival.Need {
            var value = AttributeChange()
            change(&value)
            return Arrival(request: 1, node: Self.node, thread: 1, purpose: .change(value)).need
        }
        #expect(need { $0.mode = 0o600 } == .quiet)
        #expect(need { $0.size = 0 } == .emptiness)
        #expect(need { $0.size = 1 } == .contents)
        #expect(Self.opening(1).need == .contents)
        #expect(Self.emptying(1).need == .emptiness)
    }
}

// MARK: - Random histories

/// One item and everybody who wants something of it, as simple as can be: who does what now, and whether contents are here.
private struct GateWorld {
    var gate = ContentsGate()
    var now = Instant(nanoseconds: 1)
    var isHere: Bool
    var handles = 0
    /// Arrivals that have had no answer yet.
    var unanswered: [UInt64: Arrival] = [:]
    /// Those of them that asked before the item got another size.
    var former: Set<UInt64> = []
    /// Those that were told to pass, to empty, and work for the worker, each not done yet.
    var passing: [Arrival] = []
    var emptying: Arrival?
    var working: ContentsTask?
    var tasks: Set<UInt64> = []
    var fetches: Set<FetchNumber> = []
    var looks: [Arrival] = []
    var hasWorker = false
    var lastNumber: UInt64 = 0
    var problems: [String] = []

    static let node = NodeNumber(rawValue: 9)
    static let contents = Placeholder(size: 3, version: [])!

    mutating func number() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func take(_ actions: [ContentsGate.Action]) {
        for action in actions {
            switch action {
            case .pass(let arrival):
                if emptying != nil || working != nil { problems.append("\(arrival.request) passes what one has alone") }
                check(arrival)
                passing.append(arrival)
            case .empty(let arrival):
                check(arrival)
                takeAlone("\(arrival.request) empties")
                emptying = arrival
            case .work(let task):
                takeAlone("task \(task.request)")
                working = task
            case .refuse(let arrival, _):
                check(arrival)
                unanswered[arrival.request] = nil
                looks.removeAll { $0.request == arrival.request }
            case .fetch(let fetch, _, _):
                if !hasWorker { problems.append("a fetch without a worker") }
                if !fetches.isEmpty { problems.append("two fetches of one item") }
                fetches.insert(fetch)
            case .cancel(let fetch):
                if fetches.remove(fetch) == nil { problems.append("\(fetch) is called off and was not asked for") }
            case .answer(let request, _):
                if tasks.remove(request) == nil { problems.append("task \(request) is answered twice") }
            case .look(let arrival): looks.append(arrival)
            }
        }
    }

    private mutating func check(_ arrival: Arrival) {
        if unanswered[arrival.request] == nil { problems.append("\(arrival.request) is answered twice") }
        if passing.contains(where: { $0.request == arrival.request }) {
            problems.append("\(arrival.request) passes twice")
        }
    }

    private mutating func takeAlone(_ who: String) {
        if !passing.isEmpty || emptying != nil || working != nil || handles > 0 { problems.append("\(who), not alone") }
    }

    // MARK: What happens

    mutating func step(_ random: inout SeededRandom) {
        now = now + .milliseconds(Int.random(in: 0..<20, using: &random))
        switch Int.random(in: 0..<17, using: &random) {
        case 0, 1, 2: arrive(&random)
        case 3, 4, 5: if !passing.isEmpty { pass(passing.remove(at: Int.random(in: passing.indices, using: &random))) }
        case 6: if handles > 0 { close() }
        case 7: finishEmptying()
        case 8, 9: finishWork(&random)
        case 10: fill(&random)
        case 11: free()
        case 15: describe(&random)
        case 12: failOrProgress(&random)
        case 13: interrupt(&random)
        case 14: changeWorker(&random)
        default: elapse(&random)
        }
    }

    private mutating func arrive(_ random: inout SeededRandom) {
        var change = AttributeChange()
        change.mode = 0o600
        let purposes: [Arrival.Purpose] = [
            .open(flags: 0), .open(flags: 0), .open(flags: 2), .open(flags: OpenFlags.truncate | 1), .change(change),
        ]
        let purpose = purposes[Int.random(in: purposes.indices, using: &random)]
        let arrival = Arrival(request: number(), node: Self.node, thread: 1, purpose: purpose)
        unanswered[arrival.request] = arrival
        take(gate.arrive(arrival))
    }

    private mutating func pass(_ arrival: Arrival) {
        if case .quiet = arrival.need {
            unanswered[arrival.request] = nil
            return take(gate.left(Self.node))
        }
        guard isHere else { return take(gate.missing(arrival, Self.contents, now: now)) }
        unanswered[arrival.request] = nil
        if arrival.isOutdated { return take(gate.left(Self.node)) }
        if former.contains(arrival.request) { problems.append("\(arrival.request) is opened with a former size") }
        handles += 1
        take(gate.opened(Self.node))
    }

    private mutating func close() {
        handles -= 1
        take(gate.closed(Self.node))
    }

    private mutating func finishEmptying() {
        guard let arrival = emptying else { return }
        emptying = nil
        unanswered[arrival.request] = nil
        isHere = true
        handles += 1
        former.formUnion(unanswered.filter { $0.value.resized().isOutdated }.keys)
        take(gate.emptied(arrival, isOpen: true, isEmpty: true))
    }

    private mutating func finishWork(_ random: inout SeededRandom) {
        guard let task = working else { return }
        working = nil
        let fails = Int.random(in: 0..<4, using: &random) == 0
        let isResized = Bool.random(using: &random)
        if isResized { former.formUnion(unanswered.filter { $0.value.resized().isOutdated }.keys) }
        switch task.kind {
        case .fill(let fill):
            let error: Errno? = isHere ? .alreadyInProcess : fails ? .noSpace : nil
            if error == nil { isHere = true }
            if let fetch = fill.fetch { fetches.remove(fetch) }
            take(gate.ended(task, error, isResized: isResized))
        case .free:
            let error: Errno? = isHere ? (fails ? .staleNFSFileHandle : nil) : .alreadyInProcess
            if error == nil { isHere = false }
            take(gate.ended(task, error, isResized: isResized))
        case .describe(let file):
            let error: Errno? = isHere ? .alreadyInProcess : fails ? .ioError : nil
            if error == nil, file.contents.size == 0 { isHere = true }
            take(gate.ended(task, error, isResized: isResized))
        }
    }

    private mutating func describe(_ random: inout SeededRandom) {
        let size: UInt64 = Int.random(in: 0..<4, using: &random) == 0 ? 0 : 5
        guard let contents = Placeholder(size: size, version: []) else { return }
        let request = number()
        tasks.insert(request)
        let file = DescribedFile(size: 1, modified: 0, changed: 0, contents: contents, date: 0)
        take(gate.describe(ContentsTask(request: request, node: Self.node, kind: .describe(file))))
    }

    private mutating func fill(_ random: inout SeededRandom) {
        let fetch = Bool.random(using: &random) ? fetches.first : nil
        let request = number()
        tasks.insert(request)
        let fill = ContentsTask.Fill(fetch: fetch, staged: NodePath([]), version: [])
        take(gate.fill(ContentsTask(request: request, node: Self.node, kind: .fill(fill))))
    }

    private mutating func free() {
        let request = number()
        tasks.insert(request)
        let free = FreedFile(size: 1, modified: 0, changed: 0, version: [])
        take(gate.free(ContentsTask(request: request, node: Self.node, kind: .free(free))))
    }

    private mutating func failOrProgress(_ random: inout SeededRandom) {
        guard let fetch = fetches.first else { return }
        if Bool.random(using: &random) { return gate.progressed(fetch, now: now) }
        let request = number()
        tasks.insert(request)
        let actions = gate.fail(fetch, with: .permissionDenied, request: request)
        if actions.contains(.answer(request, nil)) { fetches.remove(fetch) }
        take(actions)
    }

    private mutating func interrupt(_ random: inout SeededRandom) {
        guard let request = unanswered.keys.sorted().randomElement(using: &random) else { return }
        take(gate.interrupted(request))
        for arrival in looks {
            if Bool.random(using: &random) {
                take(gate.endWait(of: arrival.request))
            } else {
                gate.goOnWaiting(arrival.request, now: now)
            }
        }
        looks = []
    }

    private mutating func changeWorker(_ random: inout SeededRandom) {
        hasWorker = Int.random(in: 0..<3, using: &random) > 0
        let actions = gate.setWorker(hasWorker)
        take(actions)
        if !hasWorker { fetches = fetches.filter { gate.node(of: $0) != nil } }
    }

    private mutating func elapse(_ random: inout SeededRandom) {
        if Int.random(in: 0..<4, using: &random) == 0, let time = gate.deadline { now = max(now, time) }
        take(gate.passTime(now: now))
    }

    /// Everybody does what is left; then nobody waits any more.
    mutating func settle() {
        hasWorker = true
        take(gate.setWorker(true))
        for _ in 0..<10_000 {
            if let arrival = passing.popLast() {
                pass(arrival)
            } else if emptying != nil {
                finishEmptying()
            } else if let task = working {
                working = nil
                if case .fill(let fill) = task.kind, let fetch = fill.fetch { fetches.remove(fetch) }
                take(gate.ended(task, .noSpace, isResized: false))
            } else if handles > 0 {
                close()
            } else if let time = gate.deadline {
                now = max(now, time)
                take(gate.passTime(now: now))
                for arrival in looks { take(gate.endWait(of: arrival.request)) }
                looks = []
            } else {
                break
            }
        }
        if !unanswered.isEmpty { problems.append("\(unanswered.keys.sorted()) wait for ever") }
        if !tasks.isEmpty { problems.append("tasks \(tasks.sorted()) wait for ever") }
    }
}

@Suite("Random histories of the gate of contents")
struct RandomGateTests {
    @Test("nobody passes what one has alone, everybody is answered once, nobody waits for ever", arguments: 0..<20)
    func histories(part: UInt64) {
        let seed = SeededRandom.chosenSeed("RandomGateTests") &+ part &* 1_000
        for round in 0..<50 as Range<UInt64> {
            var random = SeededRandom(seed: seed &+ round)
            var world = GateWorld(isHere: Bool.random(using: &random))
            for _ in 0..<200 where world.problems.isEmpty { world.step(&random) }
            if world.problems.isEmpty { world.settle() }
            #expect(world.problems.isEmpty, "seed \(random.seed)")
            if !world.problems.isEmpty { return }
        }
    }
}
