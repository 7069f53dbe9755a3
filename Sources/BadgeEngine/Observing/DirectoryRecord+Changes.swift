internal import RoundelBus

/// What providers and the watcher say about items.
extension DirectoryRecord {
    var isLoading: Bool {
        if case .loading = load { true } else { false }
    }

    /// Takes a provider's own news of an item; what nobody was given or waits for is passed over.
    mutating func update(_ name: ItemName, _ state: ItemState, wantsWhole: Bool) {
        let isLoading = isLoading
        if items.find(name) == nil {
            guard wantsWhole, state != .none || isLoading else { return }
        }
        let index = items.findOrInsert(name)
        items.marks[index].insert(.known)
        if isLoading { items.marks[index].insert(.fresh) }
        answered(index, state, isListed: state != .none)
    }

    /// Takes the answer to a question about items. An item that was told, or vanished, since is left alone.
    mutating func answer(_ index: Int, to token: RequestToken, _ state: ItemState) {
        guard index < items.asks.count, items.asks[index] == token.mark else { return }
        items.marks[index].insert(.known)
        answered(index, state, isListed: state != .none)
    }

    /// Takes one item of the answer to the question for the whole directory.
    mutating func list(_ name: ItemName, _ state: ItemState) {
        let index = items.findOrInsert(name)
        guard !items.marks[index].contains(.fresh) else { return }
        items.marks[index].insert(.known)
        answered(index, state, isListed: true)
    }

    private mutating func answered(_ index: Int, _ state: ItemState, isListed: Bool) {
        items.asks[index] = 0
        if isListed {
            items.marks[index].insert(.listed)
            items.marks[index].remove(.vanished)
        } else {
            items.marks[index].remove(.listed)
            needsSweep = true
        }
        set(index, state)
    }

    /// The whole directory has been listed; later news is news again.
    mutating func finishLoad() {
        load = .complete
        for index in items.indices where items.marks[index].contains(.fresh) {
            items.marks[index].remove(.fresh)
            needsSweep = true
        }
    }

    /// Items are gone. Once everybody has been told, those are forgotten that nobody was given by name. One that a held
    /// call is about stays: that call's reply gives it.
    mutating func vanish(_ names: [ItemName]) {
        let isLoading = isLoading
        let awaited = indicesOfHeldCalls()
        for name in names where isLoading || items.find(name) != nil {
            let index = items.findOrInsert(name)
            items.marks[index].remove(.listed)
            if isLoading { items.marks[index].insert(.fresh) }
            if awaited.contains(index) {
                items.marks[index].insert(.known)
            } else {
                items.marks[index].remove(.known)
                items.marks[index].insert(.vanished)
            }
            items.asks[index] = 0
            set(index, .none)
        }
        needsSweep = true
    }

    private func indicesOfHeldCalls() -> IndexBits {
        var awaited = IndexBits()
        for call in held {
            guard case .badges(let indices, _) = call.kind else { continue }
            for index in indices {
                awaited.insert(Int(index))
            }
        }
        return awaited
    }

    /// The provider is gone: what it said is not known any more.
    mutating func withdraw(_ provider: ProviderID) {
        told[provider] = nil
        if owner?.provider == provider { load = .idle }
        for index in items.indices where items.marks[index].contains(.inUse) {
            guard self.provider(of: items.names[index]) == provider else { continue }
            items.marks[index].subtract([.known, .listed, .fresh])
            items.asks[index] = 0
            set(index, .none)
        }
        needsSweep = true
    }
}
