internal import RoundelBus
internal import Support

/// One caller's share in a directory.
struct Observer {
    let client: String
    /// How the caller spells the directory, and how often it has begun with each spelling.
    var spellings: [(uri: ItemURI, count: Int)]
    /// The caller was given the whole directory and hears of every item.
    var isWhole = false
    /// The items that the caller was given.
    var given = IndexBits()
    /// Items that changed since the caller was told, with what it was told last.
    var pending: [Int32: ItemState] = [:]
    /// How many of the given items were gone at the last sweep.
    var gone = 0
    /// What is counted for the caller on account of this directory.
    var counted = KeptNames()

    /// What is kept for the caller. Who was given the whole directory needs no names kept: it hears of every one.
    var kept: KeptNames { isWhole ? KeptNames() : KeptNames(given: given.count, gone: gone) }
}

/// A call that waits for a provider.
struct HeldCall {
    enum Kind {
        /// RequestBadges; the items in the order of the call, and how many of them have been found answered.
        case badges([Int32], answered: Int)
        /// RequestDirectory.
        case directory(after: ItemName?, limit: Int)
    }

    let token: CallToken
    let client: String
    var kind: Kind
    let deadline: Instant
}

/// How far the asking for a whole directory is.
enum WholeLoad: Equatable {
    case idle
    case loading(RequestToken, received: Int)
    case complete
}

/// One observed directory.
struct DirectoryRecord {
    /// The registered folder that contains a directory.
    struct Owner: Equatable {
        let provider: ProviderID
        /// The location of the folder.
        let folder: ItemURI
        /// The directory as the provider spells it.
        let spelling: ItemURI
    }

    /// What a provider was told about a directory.
    struct Told: Equatable {
        let endpoint: ProviderEndpoint
        let spelling: ItemURI
    }

    /// Its place with all ancestors resolved as far as the registered folders say.
    let location: ItemURI
    /// Who owns the items, except those in ``roots``.
    var owner: Owner?
    /// Registered folders that are listed here; each belongs to its own provider.
    var roots: [ItemName: ProviderID] = [:]
    /// All providers concerned, with the directory as each spells it.
    var concerned: [ProviderID: ItemURI] = [:]
    /// Who has been told Begin and not yet End.
    var told: [ProviderID: Told] = [:]
    /// What the watcher has been asked to watch.
    var watched: ItemURI?

    var observers: [Observer] = []
    var items = ItemTable()
    var load = WholeLoad.idle
    /// The questions about items that are outstanding.
    var requests: Set<RequestToken> = []
    var held: [HeldCall] = []

    /// Changes before this time are gathered.
    var quietUntil = Instant(nanoseconds: 0)
    /// When the gathered changes are due; nil: there are none.
    var signalsDue: Instant?
    /// Waits for ``Engine/process(_:)``.
    var isTouched = false
    /// Some items may no longer be held by any observer.
    var needsSweep = false

    init(location: ItemURI) {
        self.location = location
    }

    var hasWholeObserver: Bool { observers.contains { $0.isWhole } }
    var wantsWhole: Bool {
        hasWholeObserver || held.contains { if case .directory = $0.kind { true } else { false } }
    }

    func observer(_ client: String) -> Int? {
        observers.firstIndex { $0.client == client }
    }

    /// The provider of one of the items.
    func provider(of name: ItemName) -> ProviderID? {
        roots.isEmpty ? owner?.provider : roots[name] ?? owner?.provider
    }

    /// Sets what is known of an item and remembers who has to hear of it.
    mutating func set(_ index: Int, _ state: ItemState) {
        let old = items.states[index]
        guard old != state else { return }
        items.states[index] = state
        for position in observers.indices {
            let isGiven = observers[position].given.contains(index)
            guard isGiven || observers[position].isWhole else { continue }
            if observers[position].pending[Int32(index)] == nil {
                observers[position].pending[Int32(index)] = isGiven ? old : ItemState.none
            }
        }
    }

    /// The badges of items for a reply; from here on the caller counts as having been given them.
    mutating func give(_ indices: [Int32], to position: Int, _ badges: BadgeInterner) -> BadgeColumns {
        var columns = BadgeColumns()
        columns.badges.reserveCapacity(indices.count)
        columns.flags.reserveCapacity(indices.count)
        columns.progress.reserveCapacity(indices.count)
        let hasPending = !observers[position].pending.isEmpty
        for index in indices {
            let state = items.states[Int(index)]
            columns.badges.append(badges.badge(state.badge))
            columns.flags.append(state.flags)
            columns.progress.append(state.progress)
            observers[position].given.insert(Int(index))
            if hasPending { observers[position].pending[index] = nil }
        }
        return columns
    }

    /// The items of these names, in order, and those of them that are not known; new ones are made.
    mutating func find(_ names: [ItemName]) -> (indices: [Int32], unknown: [Int32]) {
        var indices: [Int32] = []
        indices.reserveCapacity(names.count)
        var unknown: [Int32] = []
        var index = -1
        for name in names {
            index = items.findOrInsert(name, guess: index + 1)
            if items.marks[index].contains(.vanished) { items.marks[index].subtract([.vanished, .known]) }
            if !items.marks[index].contains(.known) { unknown.append(Int32(index)) }
            indices.append(Int32(index))
        }
        return (indices, unknown)
    }

    /// The items that are listed after a name, and the name to go on from if there are more than `limit`.
    mutating func page(after: ItemName?, limit: Int) -> (indices: [Int32], next: ItemName?) {
        let ordered = items.ordered()
        var start = 0
        if let after {
            var end = ordered.count
            while start < end {
                let middle = (start + end) / 2
                if after < items.names[Int(ordered[middle])] {
                    end = middle
                } else {
                    start = middle + 1
                }
            }
        }
        var page: [Int32] = []
        for index in ordered[start...] where items.marks[Int(index)].contains(.listed) {
            if page.count == limit { return (page, page.last.map { items.names[Int($0)] }) }
            page.append(index)
        }
        return (page, nil)
    }

    /// The items of which an observer has to be told something new; it counts as told.
    mutating func takeChanges(_ position: Int) -> [Int32] {
        guard !observers[position].pending.isEmpty else { return [] }
        let pending = observers[position].pending
        observers[position].pending = [:]
        let changed = pending.filter { items.states[Int($0.key)] != $0.value }.keys.sorted()
        for index in changed {
            observers[position].given.insert(Int(index))
        }
        return changed
    }

    /// The present values of items, for a signal.
    func columns(_ indices: ArraySlice<Int32>, _ badges: BadgeInterner) -> BadgeColumns {
        var columns = BadgeColumns()
        for index in indices {
            let state = items.states[Int(index)]
            columns.append(
                items.names[Int(index)], badges.badge(state.badge), BadgeFlags(rawValue: state.flags), state.progress)
        }
        return columns
    }

    /// The numbers of the badges that items bear, and that observers were told last.
    func collectBadges(into needed: inout Set<UInt16>) {
        for index in items.indices where items.marks[index].contains(.inUse) {
            needed.insert(items.states[index].badge)
        }
        for observer in observers {
            for state in observer.pending.values { needed.insert(state.badge) }
        }
    }

    /// Whether a held call still waits for a provider.
    mutating func isWaiting(_ position: Int) -> Bool {
        switch held[position].kind {
        case .badges(let indices, var answered):
            while answered < indices.count && items.asks[Int(indices[answered])] == 0 { answered += 1 }
            held[position].kind = .badges(indices, answered: answered)
            return answered < indices.count
        case .directory:
            if isLoading { return true }
            return roots.keys.contains { name in items.find(name).map { items.asks[$0] != 0 } ?? false }
        }
    }

    /// How many of these names a caller was not given yet.
    func countNew(_ names: [ItemName], for position: Int) -> Int {
        names.count { name in items.find(name).map { !observers[position].given.contains($0) } ?? true }
    }

    /// Forgets items that nobody was given or is to hear of, and counts those that are gone and were given.
    mutating func sweep() {
        needsSweep = false
        let isLoading = isLoading
        let hasWhole = hasWholeObserver
        for position in observers.indices { observers[position].gone = 0 }
        for index in items.indices where items.marks[index].contains(.inUse) {
            if isLoading && items.marks[index].contains(.fresh) { continue }
            if isKept(index, hasWhole: hasWhole) {
                if items.marks[index].contains(.vanished) { countGone(index) }
                continue
            }
            for position in observers.indices {
                observers[position].given.remove(index)
            }
            items.remove(index)
            if items.count == 0 { return }
        }
    }

    /// A name that is gone stays for those who were given it: it may come back.
    private func isKept(_ index: Int, hasWhole: Bool) -> Bool {
        let marks = items.marks[index]
        if hasWhole, !marks.contains(.vanished),
            items.states[index] != .none || items.asks[index] != 0 || marks.contains(.listed)
        {
            return true
        }
        return observers.contains { !$0.isWhole && $0.given.contains(index) }
    }

    private mutating func countGone(_ index: Int) {
        for position in observers.indices where !observers[position].isWhole {
            if observers[position].given.contains(index) { observers[position].gone += 1 }
        }
    }
}
