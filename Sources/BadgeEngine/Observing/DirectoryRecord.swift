internal import RoundelBus
internal import Support

/// An observed directory: its observers, what is known of its items, and the open questions.
struct DirectoryRecord {
    /// The progress of loading the whole directory.
    private enum WholeLoad: Equatable {
        case idle
        case loading(RequestToken, received: Int)
        case complete
    }

    let id: DirectoryID
    /// Its place, with all ancestors resolved as far as the registered folders allow.
    let location: ItemURI
    private(set) var placement: Placement
    private var notices = ObservingNotices()

    private(set) var observers: [Observer] = []
    private(set) var items = ItemTable()
    private var load = WholeLoad.idle
    /// The open questions about items.
    private(set) var questions: Set<RequestToken> = []
    private(set) var held: [HeldCall] = []

    /// Changes before this time are collected.
    private var quietUntil = Instant(nanoseconds: 0)
    /// When the collected changes are due; nil if there are none.
    private var signalsDue: Instant?
    /// Some items may no longer be held by any observer.
    private var needsSweep = false

    init(_ id: DirectoryID, _ location: ItemURI, _ placement: Placement) {
        self.id = id
        self.location = location
        self.placement = placement
    }

    private var isLoading: Bool {
        switch load {
        case .loading: true
        case .idle, .complete: false
        }
    }

    private var hasWholeObserver: Bool { observers.contains { $0.isWhole } }
    private var hasPending: Bool { observers.contains { $0.hasPending } }

    /// Whether an observer or a held call needs every item.
    private var wantsWhole: Bool { hasWholeObserver || held.contains { $0.isForWhole } }

    // MARK: Observers

    var isObserved: Bool { !observers.isEmpty }

    var clients: [String] { observers.map(\.client) }

    func position(of client: String) -> Int? {
        observers.firstIndex { $0.client == client }
    }

    mutating func addObserver(_ client: String, _ spelling: ItemURI) {
        if let position = position(of: client) {
            observers[position].begin(spelling)
        } else {
            observers.append(Observer(client: client, spelling: spelling))
        }
    }

    /// Ends one observation of a caller, which remains an observer even if this was its last.
    mutating func endObservation(by position: Int, _ spelling: ItemURI) -> Observer.Rest {
        observers[position].end(spelling)
    }

    /// Removes a caller; false if it is not an observer.
    mutating func removeObserver(_ client: String, _ totals: inout ObserverTable, _ out: inout ActionQueue) -> Bool {
        guard let position = position(of: client) else { return false }
        let observer = observers.remove(at: position)
        totals.recount(client, from: observer.counted, to: KeptNames())
        totals.remove(client, id, observer.spellings.map(\.uri))
        for call in held where call.client == client {
            out.fail(call.token, .notObserving(location))
        }
        held.removeAll { $0.client == client }
        if !wantsWhole { dropLoad(&out) }
        needsSweep = true
        return true
    }

    /// Updates the totals of all observers with the names kept here; returns whether vanished items are kept for any of
    /// them.
    mutating func recount(in totals: inout ObserverTable) -> Bool {
        for position in observers.indices { observers[position].recount(in: &totals) }
        return observers.contains { $0.hasGone }
    }

    // MARK: Providers

    /// The registered folders have changed: updates the placement of the items, and requests what is missing.
    mutating func place(_ new: Placement, _ providers: ProviderTable, _ out: inout ActionQueue) {
        placement = new
        notifyProviders(providers, &out)
        ask(items.indicesInUse, providers, &out)
        if wantsWhole { askForWhole(providers, &out) }
    }

    /// Notifies providers and the watcher of the begins and ends that follow from the observers.
    mutating func notifyProviders(_ providers: ProviderTable, _ out: inout ActionQueue) {
        notices.update(isObserved ? placement : nil, providers, &out)
    }

    /// Ends everything that was started for a directory that is no longer observed.
    mutating func close(_ providers: ProviderTable, _ out: inout ActionQueue) {
        notifyProviders(providers, &out)
        for question in questions { out.answers.remove(question) }
        questions = []
    }

    /// The provider is gone: what it reported is no longer known.
    mutating func withdraw(_ provider: ProviderID) {
        notices.forget(provider)
        if placement.owner?.provider == provider { load = .idle }
        for index in items.indices where items.isInUse(index) {
            guard placement.provider(of: items.name(index)) == provider else { continue }
            items.markUnknown(index)
            set(index, .none)
        }
        needsSweep = true
    }

    /// The directory has vanished from its place with its contents. Another one may appear there.
    mutating func leave(_ providers: ProviderTable, _ out: inout ActionQueue) {
        guard notices.leave() else { return }
        dropLoad(&out)
        _ = items.clearFresh()
        vanish(items.namesInUse)
        notifyProviders(providers, &out)
    }

    /// A directory is again at the place of one that vanished: requests again what observers were given.
    mutating func comeBack(_ providers: ProviderTable, _ out: inout ActionQueue) {
        if notices.comeBack() { place(placement, providers, &out) }
    }

    // MARK: Asking

    /// Asks the providers about those items that are unknown and were not asked for.
    private mutating func ask(_ indices: [Int32], _ providers: ProviderTable, _ out: inout ActionQueue) {
        var wanted: [ProviderID: [Int32]] = [:]
        for index in indices where !items.isKnown(Int(index)) && !items.isAsked(Int(index)) {
            guard let provider = placement.provider(of: items.name(Int(index))) else { continue }
            wanted[provider, default: []].append(index)
        }
        for (provider, indices) in wanted.sorted(by: { $0.key < $1.key }) {
            guard let endpoint = providers.activeEndpoint(provider), let spelling = placement.concerned[provider]
            else { continue }
            let token = out.makeToken()
            // A name that occurs twice in the call is asked for once.
            var asked: [Int32] = []
            asked.reserveCapacity(indices.count)
            for index in indices where !items.isAsked(Int(index)) {
                items.markAsked(Int(index), by: token)
                asked.append(index)
            }
            questions.insert(token)
            let request = ProviderRequest.requestBadges(spelling, items.names(of: asked))
            out.ask(provider, at: endpoint, request, for: .badges(id, asked), as: token)
        }
    }

    /// Requests everything in the directory, if that was not done yet.
    private mutating func askForWhole(_ providers: ProviderTable, _ out: inout ActionQueue) {
        ask(items.request(placement.rootNames.sorted()).unknown, providers, &out)
        guard load == .idle, let owner = placement.owner, let endpoint = providers.activeEndpoint(owner.provider)
        else { return }
        askForPage(owner, endpoint, after: nil, received: 0, &out)
    }

    private mutating func askForPage(
        _ owner: Placement.Owner, _ endpoint: ProviderEndpoint, after: ItemName?, received: Int,
        _ out: inout ActionQueue
    ) {
        let request = ProviderRequest.requestDirectory(owner.spelling, after: after, limit: UInt32(Limits.namesPerCall))
        let token = out.ask(owner.provider, at: endpoint, request, for: .directory(id, after: after))
        questions.insert(token)
        load = .loading(token, received: received)
    }

    /// The whole directory is no longer needed.
    private mutating func dropLoad(_ out: inout ActionQueue) {
        if case .loading(let token, _) = load {
            out.answers.remove(token)
            questions.remove(token)
        }
        load = .idle
    }

    // MARK: Answers

    /// A question was answered, or will not be.
    mutating func closeQuestion(_ token: RequestToken) { questions.remove(token) }

    /// Applies the answer to a question about items. Skips an item that was reported or vanished since.
    /// - Parameter columns: One row for each item; nil if the answer was invalid.
    mutating func answer(
        _ token: RequestToken, _ indices: [Int32], _ columns: BadgeColumns?, of provider: ProviderID,
        _ badges: inout BadgeInterner
    ) {
        for (row, index) in indices.enumerated() {
            let state = columns.map { badges.state($0, row, of: provider) } ?? .none
            if items.isAsked(Int(index), by: token) { apply(Int(index), state, isListed: state != .none) }
        }
    }

    /// Ends the question for a page of the whole directory; returns the number of items before it, or nil if it is no
    /// longer needed.
    mutating func endPage(_ token: RequestToken) -> Int? {
        questions.remove(token)
        guard case .loading(token, let received) = load else { return nil }
        return received
    }

    /// Applies a page of the whole directory, and requests the next one if there is one.
    /// - Parameter received: The number of items before it.
    mutating func applyPage(
        _ columns: BadgeColumns, next: ItemName?, received: Int, of provider: ProviderID, _ badges: inout BadgeInterner,
        _ providers: ProviderTable, _ out: inout ActionQueue
    ) {
        for (row, name) in columns.names.enumerated() where placement.provider(of: name) == provider {
            let state = badges.state(columns, row, of: provider)
            let index = items.findOrInsert(name)
            if !items.isFresh(index) { apply(index, state, isListed: true) }
        }
        let total = received + columns.count
        guard let next, total < Limits.itemsPerDirectory, let owner = placement.owner,
            let endpoint = providers.activeEndpoint(provider)
        else { return finishLoad() }
        askForPage(owner, endpoint, after: next, received: total, &out)
    }

    /// The whole directory has been listed: a provider's answers are no longer older than its reports.
    mutating func finishLoad() {
        load = .complete
        if items.clearFresh() { needsSweep = true }
    }

    /// Applies an update of a provider. Ignores items that no observer was given or waits for, and new ones beyond
    /// those that are kept of a whole directory.
    mutating func update(_ columns: BadgeColumns, by provider: ProviderID, _ badges: inout BadgeInterner) {
        let wantsWhole = wantsWhole
        let isLoading = isLoading
        for (row, name) in columns.names.enumerated() where placement.provider(of: name) == provider {
            let state = badges.state(columns, row, of: provider)
            if items.find(name) == nil {
                guard wantsWhole, state != .none || isLoading, hasRoomForMore else { continue }
            }
            apply(items.findOrInsert(name), state, isListed: state != .none, isFresh: isLoading)
        }
    }

    /// Items have vanished. Once every observer was notified, those that no observer was given by name are forgotten.
    /// An item that a held call waits for is kept: the call's reply contains it.
    mutating func vanish(_ names: [ItemName]) {
        let isLoading = isLoading
        var awaited = IndexBits()
        for call in held {
            for index in call.items { awaited.insert(Int(index)) }
        }
        for name in names where items.find(name) != nil || isLoading && hasRoomForMore {
            let index = items.findOrInsert(name)
            items.markVanished(index, isAwaited: awaited.contains(index), isFresh: isLoading)
            set(index, .none)
        }
        needsSweep = true
    }

    /// Whether items are kept that no observer named.
    private var hasRoomForMore: Bool { items.count < Limits.itemsPerDirectory }

    private mutating func apply(_ index: Int, _ state: ItemState, isListed: Bool, isFresh: Bool = false) {
        items.markKnown(index, isListed: isListed, isFresh: isFresh)
        if !isListed { needsSweep = true }
        set(index, state)
    }

    /// Sets the state of an item, and remembers which observers must be notified.
    private mutating func set(_ index: Int, _ state: ItemState) {
        guard let old = items.setState(index, state) else { return }
        for position in observers.indices { observers[position].noteChange(index, from: old) }
    }

    // MARK: What is known

    /// The known state of an item; nil if it is unknown.
    func knownState(_ name: ItemName) -> ItemState? {
        guard let index = items.find(name), items.isKnown(index) else { return nil }
        return items.state(index)
    }

    /// Collects the numbers of the badges that items have, and that observers know.
    func collectBadges(into needed: inout Set<UInt16>) {
        items.collectBadges(into: &needed)
        for observer in observers { observer.collectBadges(into: &needed) }
    }

    // MARK: Calls of hosts

    /// Replies with the badges of items, or holds the call until the providers have answered.
    mutating func requestBadges(
        _ call: HostCall, _ names: [ItemName], _ badges: BadgeInterner, _ providers: ProviderTable,
        _ totals: inout ObserverTable, _ out: inout ActionQueue
    ) {
        guard let position = position(of: call.caller) else { return out.fail(call.token, .notObserving(location)) }
        guard hasRoom(for: names, by: position, within: Limits.namesPerCaller - totals.kept(call.caller).given) else {
            return out.fail(call.token, .tooManyNamesKept)
        }
        let (indices, unknown) = items.request(names)
        if !unknown.isEmpty {
            ask(unknown, providers, &out)
            if unknown.contains(where: { items.isAsked(Int($0)) }) { return hold(call, .badges(indices), &out) }
        }
        out.reply(call.token, .badges(give(indices, to: position, badges)))
        observers[position].recount(in: &totals)
    }

    /// Whether these names can be kept for a caller that may have `room` more.
    private func hasRoom(for names: [ItemName], by position: Int, within room: Int) -> Bool {
        observers[position].isWhole || names.count <= room || observers[position].countNew(names, items) <= room
    }

    /// Holds a call for the whole directory, and asks the provider if that was not done yet.
    mutating func requestWhole(
        _ call: HostCall, after: ItemName?, limit: Int, _ providers: ProviderTable, _ out: inout ActionQueue
    ) {
        hold(call, .directory(after: after, limit: limit), &out)
        askForWhole(providers, &out)
    }

    private mutating func hold(_ call: HostCall, _ kind: HeldCall.Kind, _ out: inout ActionQueue) {
        let deadline = out.now + Limits.patience
        held.append(HeldCall(call, kind, until: deadline))
        out.deadlines.add(deadline, .heldCalls(id))
    }

    /// Whether a held call must be answered by this time.
    func holdsCall(until deadline: Instant) -> Bool { held.contains { $0.deadline == deadline } }

    /// Answers the calls that must not wait any longer.
    mutating func releaseOverdueCalls(_ badges: BadgeInterner, _ out: inout ActionQueue) {
        let now = out.now
        let overdue = held.filter { $0.deadline <= now }
        held.removeAll { $0.deadline <= now }
        for call in overdue { release(call, badges, &out) }
    }

    private mutating func releaseAnsweredCalls(_ badges: BadgeInterner, _ out: inout ActionQueue) {
        var position = 0
        while position < held.count {
            if isWaiting(position) {
                position += 1
            } else {
                release(held.remove(at: position), badges, &out)
            }
        }
    }

    /// Whether a held call still waits for a provider.
    private mutating func isWaiting(_ position: Int) -> Bool {
        guard held[position].isForWhole else { return held[position].awaitsItem(in: items) }
        return isLoading || placement.rootNames.contains { name in items.find(name).map(items.isAsked) ?? false }
    }

    private mutating func release(_ call: HeldCall, _ badges: BadgeInterner, _ out: inout ActionQueue) {
        guard let position = position(of: call.client) else {
            return out.fail(call.token, .notObserving(location))
        }
        switch call.kind {
        case .badges(let indices):
            out.reply(call.token, .badges(give(indices, to: position, badges)))
        case .directory(let after, let limit):
            let (indices, next) = items.page(after: after, limit: limit)
            observers[position].giveWhole()
            var columns = give(indices, to: position, badges)
            columns.names = items.names(of: indices)
            out.reply(call.token, .directory(columns, next: next))
        }
    }

    /// The badges of items for a reply; from now on the caller counts as having been given them.
    private mutating func give(_ indices: [Int32], to position: Int, _ badges: BadgeInterner) -> BadgeColumns {
        observers[position].give(indices)
        return items.badges(of: indices, badges)
    }

    // MARK: The end of an event

    /// Answers held calls, sends signals that are due, and forgets items that are no longer needed.
    mutating func process(_ badges: BadgeInterner, _ out: inout ActionQueue) {
        if !held.isEmpty { releaseAnsweredCalls(badges, &out) }
        if hasPending {
            if out.now >= quietUntil {
                sendSignals(badges, &out)
            } else if signalsDue == nil {
                signalsDue = quietUntil
                out.deadlines.add(quietUntil, .signals(id))
            }
        }
        if needsSweep, held.isEmpty, !hasPending { sweep() }
    }

    /// Whether collected changes are due at this time.
    func isSignalDue(at time: Instant) -> Bool { signalsDue == time }

    private mutating func sendSignals(_ badges: BadgeInterner, _ out: inout ActionQueue) {
        signalsDue = nil
        var hasSent = false
        for position in observers.indices {
            let changed = observers[position].drainChanges(items)
            var start = 0
            while start < changed.count {
                let part = Array(changed[start..<min(start + Limits.namesPerCall, changed.count)])
                var columns = items.badges(of: part, badges)
                columns.names = items.names(of: part)
                for (spelling, _) in observers[position].spellings {
                    out.act(.signalBadges(client: observers[position].client, directory: spelling, columns))
                }
                start += part.count
                hasSent = true
            }
        }
        if hasSent { quietUntil = out.now + Patience.Badges.collecting }
    }

    /// Forgets items that no observer was given or must be notified of, and counts the vanished ones that were given.
    private mutating func sweep() {
        needsSweep = false
        let isLoading = isLoading
        let hasWhole = hasWholeObserver
        for position in observers.indices { observers[position].beginSweep() }
        for index in items.indices where items.isInUse(index) {
            if isLoading && items.isFresh(index) { continue }
            if hasWhole && items.mayBePresent(index) { continue }
            // A vanished name is kept for those who were given it: it may return.
            if observers.contains(where: { $0.keeps(index) }) {
                if items.hasVanished(index) { countGone(index) }
                continue
            }
            for position in observers.indices { observers[position].forget(index) }
            items.remove(index)
            if items.count == 0 { return }
        }
    }

    private mutating func countGone(_ index: Int) {
        for position in observers.indices { observers[position].countGone(index) }
    }
}
