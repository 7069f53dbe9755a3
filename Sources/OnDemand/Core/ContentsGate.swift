package import MountProtocol
package import Support
package import SystemPackage

/// The one lock of each item over opening, filling, freeing and emptying, and who waits for contents.
///
/// An item is passed by many at once, who may keep it open, or had alone by one who changes where its contents are. Who
/// passes looks whether the contents are here while they cannot go; if they are not, it leaves and waits for a fetch. Who
/// wants an item alone waits for those who pass, not for those who have it open: these show that its contents are here.
///
/// Pure: it is told what happens and says what is to be done, in this order. Every arrival is answered exactly once,
/// either by ``Action/refuse(_:_:)`` or by whoever was told to do what it asks.
package struct ContentsGate: Sendable {
    /// What is to be done.
    package enum Action: Hashable, Sendable {
        /// Do what is asked if the contents permit it, then tell ``opened(_:)`` or ``left(_:)``; otherwise
        /// ``missing(_:_:now:)``.
        case pass(Arrival)
        /// Throw the contents away and do what is asked, then tell ``emptied(_:isOpen:isEmpty:)``.
        case empty(Arrival)
        /// Do it, then tell ``ended(_:_:)``.
        case work(ContentsTask)
        /// Answer with the error.
        case refuse(Arrival, Errno)
        /// Ask the worker for the contents of the item; who arrived wants them.
        case fetch(FetchNumber, Placeholder, Arrival)
        /// Tell the worker that nobody wants them any more.
        case cancel(FetchNumber)
        /// Answer the worker's request: done if there is no error.
        case answer(UInt64, Errno?)
        /// See which signals the thread has, then tell ``endWait(of:)`` or ``goOnWaiting(_:now:)``.
        case look(Arrival)
    }

    private enum Turn: Sendable {
        case pass(Arrival)
        case empty(Arrival)
        case work(ContentsTask)
    }

    private struct Item: Sendable {
        /// Those who pass now.
        var passing = 0
        /// Those who have it open.
        var handles = 0
        /// Whether one has it alone.
        var isTaken = false
        /// Those who come after that, in this order.
        var turns: [Turn] = []
        var fetch: FetchNumber?

        var isIdle: Bool { passing == 0 && handles == 0 && !isTaken && turns.isEmpty && fetch == nil }
    }

    private struct Fetch: Sendable {
        let node: NodeNumber
        var waiting: [Arrival]
        /// When it is given up, unless the worker is heard of.
        var deadline: Instant
        /// Whether the contents have come and are being put in.
        var isFilling = false
    }

    /// How many arrivals may wait for contents.
    package static let waitingLimit = 10_000
    /// How many interruptions are kept for requests that have not arrived yet.
    private static let earlyLimit = 64

    private var items: [NodeNumber: Item] = [:]
    private var fetches: [FetchNumber: Fetch] = [:]
    private var lastFetch: UInt64 = 0
    /// Arrivals that wait, for their turn or for contents.
    private var waiting: [UInt64: NodeNumber] = [:]
    /// Requests that were interrupted before they had arrived: the kernel's requests are read by several threads.
    private var early: [UInt64] = []
    /// Interrupted arrivals whose signals did not end the wait, with the time of the next look.
    private var lookAgain: [UInt64: Instant] = [:]
    private var resized = ResizedItems()
    private var hasWorker = false

    package init() {}

    /// When ``passTime(now:)`` has something to do next.
    package var deadline: Instant? {
        let fetch = fetches.values.lazy.filter { !$0.isFilling }.map(\.deadline).min()
        return [fetch, lookAgain.values.min()].compactMap(\.self).min()
    }

    /// The item of a fetch that goes on.
    package func node(of fetch: FetchNumber) -> NodeNumber? { fetches[fetch]?.node }

    // MARK: Passing

    /// Somebody wants something of an item.
    package mutating func arrive(_ arrival: Arrival) -> [Action] {
        let arrival = noticed(arrival)
        var item = items[arrival.node] ?? Item()
        guard item.isTaken || !item.turns.isEmpty else {
            item.passing += 1
            items[arrival.node] = item
            return [.pass(arrival)]
        }
        item.turns.append(.pass(arrival))
        items[arrival.node] = item
        return wait(arrival)
    }

    /// Who passes has opened it.
    package mutating func opened(_ node: NodeNumber) -> [Action] {
        items[node]?.passing -= 1
        items[node]?.handles += 1
        return advance(node)
    }

    /// Who passes is through.
    package mutating func left(_ node: NodeNumber) -> [Action] {
        items[node]?.passing -= 1
        return advance(node)
    }

    /// A new item is open, which nobody had to pass.
    package mutating func created(_ node: NodeNumber) { items[node, default: Item()].handles += 1 }

    /// One who had it open has closed it.
    package mutating func closed(_ node: NodeNumber) -> [Action] {
        items[node]?.handles -= 1
        return advance(node)
    }

    /// Who passes found that the contents are not here.
    package mutating func missing(_ arrival: Arrival, _ placeholder: Placeholder, now: Instant) -> [Action] {
        items[arrival.node]?.passing -= 1
        var actions: [Action] = []
        switch arrival.need {
        case .quiet, .noPlaceholder: actions = [.refuse(arrival, .notPermitted)]
        case .emptiness:
            items[arrival.node]?.turns.append(.empty(arrival))
            actions = wait(arrival)
        case .contents: actions = want(arrival, placeholder, now: now)
        }
        return actions + advance(arrival.node)
    }

    /// Whoever had it alone to empty it has done so and answered.
    ///
    /// - Parameters:
    ///   - isOpen: Whether it is open now.
    ///   - isEmpty: Whether the contents are here now, which are none.
    package mutating func emptied(_ arrival: Arrival, isOpen: Bool, isEmpty: Bool) -> [Action] {
        items[arrival.node]?.isTaken = false
        if isOpen { items[arrival.node]?.handles += 1 }
        // The kernel learns the size by the answer, and they may have asked before.
        if isEmpty { outdate(arrival.node) }
        return (isEmpty ? arrived(arrival.node, by: nil) : []) + advance(arrival.node)
    }

    /// The item has been deleted or replaced: who waits for its contents has to look again what is there.
    package mutating func gone(_ node: NodeNumber) -> [Action] {
        guard let number = items[node]?.fetch, let fetch = fetches[number] else { return [] }
        return end(number, with: .staleNFSFileHandle) + (fetch.isFilling ? [] : [.cancel(number)]) + advance(node)
    }

    // MARK: The worker

    /// Whether there is a worker now. When one goes, what was asked of it fails.
    package mutating func setWorker(_ isThere: Bool) -> [Action] {
        hasWorker = isThere
        guard !isThere else { return [] }
        return fetches.filter { !$0.value.isFilling }.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { number in
            let node = fetches[number]?.node
            return end(number, with: .ioError) + (node.map { advance($0) } ?? [])
        }
    }

    /// Contents have come for an item. For a fetch that has ended the answer is ECANCELED.
    package mutating func fill(_ task: ContentsTask) -> [Action] {
        if case .fill(let fill) = task.kind, let number = fill.fetch {
            guard let fetch = fetches[number], fetch.node == task.node else {
                return [.answer(task.request, .canceled)]
            }
            fetches[number]?.isFilling = true
        }
        items[task.node, default: Item()].turns.append(.work(task))
        return advance(task.node)
    }

    /// Contents are to go. The answer is EBUSY if the item is in use.
    package mutating func free(_ task: ContentsTask) -> [Action] {
        guard items[task.node] == nil else { return [.answer(task.request, .resourceBusy)] }
        items[task.node] = Item(isTaken: true)
        return [.work(task)]
    }

    /// A placeholder is to stand for another version. Who waits for its contents goes on waiting. The answer is EALREADY
    /// if the item is open, so that its contents are here.
    package mutating func describe(_ task: ContentsTask) -> [Action] {
        items[task.node, default: Item()].turns.append(.work(task))
        return advance(task.node)
    }

    /// What was to be done alone is done, or failed.
    ///
    /// - Parameter isResized: Whether the item has another size than before, about which the kernel has been told.
    package mutating func ended(_ task: ContentsTask, _ error: Errno?, isResized: Bool) -> [Action] {
        items[task.node]?.isTaken = false
        if isResized { resize(task.node) }
        var actions: [Action] = []
        switch (task.kind, error) {
        // They may have been here already.
        case (.fill(let fill), nil), (.fill(let fill), .alreadyInProcess): actions = arrived(task.node, by: fill.fetch)
        case (.fill(let fill), let error?):
            // Without a fetch of its own, another one may still succeed. A full disk concerns whoever waits; a mistake of
            // the worker means nothing to them.
            let reason: Errno = error == .noSpace || error == .diskQuotaExceeded ? error : .ioError
            if let number = fill.fetch { actions = end(number, with: reason) }
        // Nothing needs no fetch.
        case (.describe(let file), nil) where file.contents.size == 0: actions = arrived(task.node, by: nil)
        case (.free, _), (.describe, _): break
        }
        return actions + [.answer(task.request, error)] + advance(task.node)
    }

    /// The worker cannot fetch something.
    package mutating func fail(_ fetch: FetchNumber, with error: Errno, request: UInt64) -> [Action] {
        guard let node = fetches[fetch]?.node, fetches[fetch]?.isFilling == false else {
            return [.answer(request, .canceled)]
        }
        return end(fetch, with: error) + [.answer(request, nil)] + advance(node)
    }

    /// The worker is at it still.
    package mutating func progressed(_ fetch: FetchNumber, now: Instant) {
        fetches[fetch]?.deadline = now + Patience.Mount.fetch
    }

    // MARK: Interruptions and time

    /// The kernel says that a thread which waits was sent a signal.
    package mutating func interrupted(_ request: UInt64) -> [Action] {
        if let arrival = waitingArrival(request) { return [.look(arrival)] }
        // Answered already, which costs nothing, or still to come.
        early.append(request)
        if early.count > Self.earlyLimit { early.removeFirst() }
        return []
    }

    /// The signals of whoever waits are no reason to end the wait; they are looked at again.
    package mutating func goOnWaiting(_ request: UInt64, now: Instant) {
        if waiting[request] != nil { lookAgain[request] = now + Patience.Mount.signals }
    }

    /// Whoever waits has been called away.
    package mutating func endWait(of request: UInt64) -> [Action] {
        guard let node = waiting[request], let arrival = waitingArrival(request) else { return [] }
        forget(request)
        items[node]?.turns.removeAll { Self.arrival(of: $0)?.request == request }
        var actions: [Action] = [.refuse(arrival, .interrupted)]
        if let number = items[node]?.fetch {
            fetches[number]?.waiting.removeAll { $0.request == request }
            if let fetch = fetches[number], fetch.waiting.isEmpty, !fetch.isFilling {
                actions += end(number, with: .interrupted) + [.cancel(number)]
            }
        }
        return actions + advance(node)
    }

    /// Gives up what has taken too long, and has signals looked at again.
    package mutating func passTime(now: Instant) -> [Action] {
        var actions: [Action] = []
        let late = fetches.filter { !$0.value.isFilling && $0.value.deadline <= now }
        for (number, fetch) in late.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            actions += end(number, with: .timedOut) + [.cancel(number)] + advance(fetch.node)
        }
        for request in lookAgain.filter({ $0.value <= now }).keys.sorted() {
            lookAgain[request] = nil
            if let arrival = waitingArrival(request) { actions.append(.look(arrival)) }
        }
        return actions
    }

    // MARK: What follows

    /// An item has another size: whoever asked before has to look at it again.
    private mutating func resize(_ node: NodeNumber) {
        // When one of them looks, the kernel knows the size.
        if outdate(node) { resized.remove(node) } else { resized.add(node) }
    }

    /// Has those who wait to open an item look at it again.
    ///
    /// - Returns: Whether there are any.
    @discardableResult
    private mutating func outdate(_ node: NodeNumber) -> Bool {
        guard var item = items[node] else { return false }
        var isAwaited = false
        func outdated(_ arrival: Arrival) -> Arrival {
            let outdated = arrival.resized()
            if outdated.isOutdated { isAwaited = true }
            return outdated
        }
        item.turns = item.turns.map { turn in
            if case .pass(let arrival) = turn { .pass(outdated(arrival)) } else { turn }
        }
        items[node] = item
        if let number = item.fetch, let waiting = fetches[number]?.waiting {
            fetches[number]?.waiting = waiting.map(outdated)
        }
        return isAwaited
    }

    /// Who arrives as it has to be treated: it may have asked before the item got its size, and was not read until now.
    private mutating func noticed(_ arrival: Arrival) -> Arrival {
        let outdated = arrival.resized()
        return outdated.isOutdated && resized.remove(arrival.node) ? outdated : arrival
    }

    /// Somebody cannot go on without contents.
    private mutating func want(_ arrival: Arrival, _ placeholder: Placeholder, now: Instant) -> [Action] {
        guard hasWorker else { return [.refuse(arrival, .networkUnreachable)] }
        guard waiting.count < Self.waitingLimit else { return [.refuse(arrival, .ioError)] }
        if let number = items[arrival.node]?.fetch {
            fetches[number]?.waiting.append(arrival)
            return wait(arrival)
        }
        lastFetch += 1
        let number = FetchNumber(rawValue: lastFetch)
        fetches[number] = Fetch(node: arrival.node, waiting: [arrival], deadline: now + Patience.Mount.fetch)
        items[arrival.node]?.fetch = number
        return [.fetch(number, placeholder, arrival)] + wait(arrival)
    }

    /// Notes that somebody waits.
    private mutating func wait(_ arrival: Arrival) -> [Action] {
        waiting[arrival.request] = arrival.node
        guard let place = early.firstIndex(of: arrival.request) else { return [] }
        early.remove(at: place)
        return [.look(arrival)]
    }

    private mutating func forget(_ request: UInt64) {
        waiting[request] = nil
        lookAgain[request] = nil
    }

    /// The contents are here: who waits for them comes again, before those who came later.
    private mutating func arrived(_ node: NodeNumber, by fetch: FetchNumber?) -> [Action] {
        guard let number = items[node]?.fetch, let ended = fetches[number] else { return [] }
        items[node]?.fetch = nil
        fetches[number] = nil
        items[node]?.turns.insert(contentsOf: ended.waiting.map(Turn.pass), at: 0)
        return fetch == number || ended.isFilling ? [] : [.cancel(number)]
    }

    /// A fetch has failed for all who wait.
    private mutating func end(_ number: FetchNumber, with error: Errno) -> [Action] {
        guard let fetch = fetches.removeValue(forKey: number) else { return [] }
        items[fetch.node]?.fetch = nil
        for arrival in fetch.waiting { forget(arrival.request) }
        return fetch.waiting.map { .refuse($0, error) }
    }

    /// Lets in whose turn it is.
    private mutating func advance(_ node: NodeNumber) -> [Action] {
        guard var item = items[node] else { return [] }
        var actions: [Action] = []
        var next = 0
        admission: while next < item.turns.count, !item.isTaken {
            switch item.turns[next] {
            case .pass(let arrival):
                item.passing += 1
                actions.append(.pass(arrival))
                forget(arrival.request)
            case .empty(let arrival):
                if item.passing > 0 { break admission }
                // Meanwhile the contents came, and somebody opened them.
                if item.handles > 0 { item.passing += 1 } else { item.isTaken = true }
                actions.append(item.isTaken ? .empty(arrival) : .pass(arrival))
                forget(arrival.request)
            case .work(let task):
                if item.passing > 0 { break admission }
                if item.handles > 0 {
                    actions += refuse(task, in: &item)
                } else {
                    item.isTaken = true
                    actions.append(.work(task))
                }
            }
            next += 1
        }
        item.turns.removeFirst(next)
        items[node] = item.isIdle ? nil : item
        return actions
    }

    /// What is open needs no contents. Who waits for its fetch comes again.
    private mutating func refuse(_ task: ContentsTask, in item: inout Item) -> [Action] {
        if case .fill(let fill) = task.kind, let number = fill.fetch, let fetch = fetches.removeValue(forKey: number) {
            item.fetch = nil
            item.turns += fetch.waiting.map(Turn.pass)
        }
        return [.answer(task.request, .alreadyInProcess)]
    }

    private func waitingArrival(_ request: UInt64) -> Arrival? {
        guard let item = waiting[request].flatMap({ items[$0] }) else { return nil }
        if let arrival = item.turns.lazy.compactMap(Self.arrival).first(where: { $0.request == request }) {
            return arrival
        }
        return item.fetch.flatMap { fetches[$0] }?.waiting.first { $0.request == request }
    }

    private static func arrival(of turn: Turn) -> Arrival? {
        switch turn {
        case .pass(let arrival), .empty(let arrival): arrival
        case .work: nil
        }
    }
}
