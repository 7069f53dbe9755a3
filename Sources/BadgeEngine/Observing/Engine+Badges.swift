internal import RoundelBus
internal import Support

/// Badges towards hosts: requests, held calls, signals.
extension Engine {
    mutating func requestBadges(_ call: HostCall, _ uri: ItemURI, _ names: [ItemName]) {
        guard names.count <= Limits.namesPerCall else {
            return fail(call.token, .tooManyNames)
        }
        guard let id = observedDirectory(call.caller, uri), let position = directories[id].observer(call.caller) else {
            return failNotObserving(call.token, uri)
        }
        guard hasRoom(id, position, for: names) else {
            return fail(call.token, .tooManyNamesKept)
        }
        let (indices, unknown) = directories[id].find(names)
        if !unknown.isEmpty {
            ask(id, unknown)
            if unknown.contains(where: { directories[id].items.asks[Int($0)] != 0 }) {
                return hold(id, call, .badges(indices, answered: 0))
            }
        }
        reply(call.token, .badges(directories[id].give(indices, to: position, badges)))
        recount(id, position)
    }

    /// Whether a caller may be told of these names as well.
    private func hasRoom(_ id: DirectoryID, _ position: Int, for names: [ItemName]) -> Bool {
        let observer = directories[id].observers[position]
        let room = Limits.namesPerCaller - observers.kept(observer.client).given
        return observer.isWhole || names.count <= room || directories[id].countNew(names, for: position) <= room
    }

    /// Brings a caller's totals in line with what is kept for it in a directory.
    private mutating func recount(_ id: DirectoryID, _ position: Int) {
        let kept = directories[id].observers[position].kept
        let counted = directories[id].observers[position].counted
        guard kept != counted else { return }
        directories[id].observers[position].counted = kept
        observers.recount(directories[id].observers[position].client, from: counted, to: kept)
    }

    /// A caller for which too many names are kept that are gone begins again: it asks for what it still shows.
    private mutating func recount(_ id: DirectoryID) {
        for position in directories[id].observers.indices { recount(id, position) }
        guard directories[id].observers.contains(where: { $0.gone > 0 }) else { return }
        for client in directories[id].observers.map(\.client)
        where observers.kept(client).gone > Limits.goneNamesPerCaller {
            reset(client)
        }
    }

    mutating func requestDirectory(_ call: HostCall, _ uri: ItemURI, _ after: ItemName?, _ limit: UInt32) {
        guard let id = observedDirectory(call.caller, uri) else { return failNotObserving(call.token, uri) }
        let limit = limit == 0 ? Limits.namesPerCall : min(Int(limit), Limits.namesPerCall)
        hold(id, call, .directory(after: after, limit: limit))
        askForWhole(id)
        touch(id)
    }

    private mutating func hold(_ id: DirectoryID, _ call: HostCall, _ kind: HeldCall.Kind) {
        let deadline = now + Limits.patience
        directories[id].held.append(HeldCall(token: call.token, client: call.caller, kind: kind, deadline: deadline))
        out.deadlines.add(deadline, .heldCalls(id))
    }

    // MARK: Asking

    /// Asks the providers for those of the items that nobody has answered or been asked for.
    mutating func ask(_ id: DirectoryID, _ indices: some Sequence<Int32>) {
        var wanted: [ProviderID: [Int32]] = [:]
        for index in indices {
            let item = Int(index)
            let marks = directories[id].items.marks[item]
            guard !marks.contains(.known), directories[id].items.asks[item] == 0 else { continue }
            guard let provider = directories[id].provider(of: directories[id].items.names[item]) else { continue }
            wanted[provider, default: []].append(index)
        }
        for (provider, indices) in wanted.sorted(by: { $0.key < $1.key }) {
            guard let endpoint = providers.activeEndpoint(provider), let spelling = directories[id].concerned[provider]
            else { continue }
            let token = out.answers.makeToken()
            var names: [ItemName] = []
            names.reserveCapacity(indices.count)
            // A name that the call gave twice is asked for once.
            var asked: [Int32] = []
            asked.reserveCapacity(indices.count)
            for index in indices where directories[id].items.asks[Int(index)] == 0 {
                directories[id].items.asks[Int(index)] = token.mark
                names.append(directories[id].items.names[Int(index)])
                asked.append(index)
            }
            out.answers.add(token, PendingRequest(provider: provider, purpose: .badges(id, asked)))
            directories[id].requests.insert(token)
            act(.ask(token, endpoint, .requestBadges(spelling, names)))
        }
    }

    /// Asks for everything in a directory if somebody wants it and it has not been asked for.
    mutating func askForWhole(_ id: DirectoryID) {
        let roots = directories[id].roots.keys.sorted()
        ask(id, directories[id].find(roots).unknown)
        guard directories[id].load == .idle, let owner = directories[id].owner,
            let endpoint = providers.activeEndpoint(owner.provider)
        else { return }
        askForPage(id, owner, endpoint, after: nil, received: 0)
    }

    mutating func askForPage(
        _ id: DirectoryID, _ owner: DirectoryRecord.Owner, _ endpoint: ProviderEndpoint, after: ItemName?, received: Int
    ) {
        let token = out.answers.makeToken()
        directories[id].load = .loading(token, received: received)
        out.answers.add(token, PendingRequest(provider: owner.provider, purpose: .directory(id, after: after)))
        directories[id].requests.insert(token)
        let limit = UInt32(Limits.namesPerCall)
        act(.ask(token, endpoint, .requestDirectory(owner.spelling, after: after, limit: limit)))
    }

    /// Nobody wants the whole directory any more.
    mutating func dropLoad(_ id: DirectoryID) {
        if case .loading(let token, _) = directories[id].load {
            _ = out.answers.take(token)
            directories[id].requests.remove(token)
        }
        directories[id].load = .idle
        directories[id].needsSweep = true
    }

    /// Asks again for everything that was given and is not known: its provider has come (back).
    mutating func askMissing(_ id: DirectoryID) {
        ask(id, directories[id].items.indicesInUse)
        if directories[id].wantsWhole { askForWhole(id) }
    }

    // MARK: Held calls and signals

    /// Answers held calls, sends signals that are due, forgets items that nobody needs.
    mutating func process(_ id: DirectoryID) {
        directories[id].isTouched = false
        if !directories[id].held.isEmpty { releaseAnsweredCalls(id) }
        if directories[id].observers.contains(where: { !$0.pending.isEmpty }) {
            if now >= directories[id].quietUntil {
                sendSignals(id)
            } else if directories[id].signalsDue == nil {
                directories[id].signalsDue = directories[id].quietUntil
                out.deadlines.add(directories[id].quietUntil, .signals(id))
            }
        }
        if directories[id].needsSweep, directories[id].held.isEmpty,
            !directories[id].observers.contains(where: { !$0.pending.isEmpty })
        {
            directories[id].sweep()
        }
        recount(id)
    }

    private mutating func releaseAnsweredCalls(_ id: DirectoryID) {
        var position = 0
        while position < directories[id].held.count {
            if directories[id].isWaiting(position) {
                position += 1
            } else {
                release(id, directories[id].held.remove(at: position))
            }
        }
    }

    mutating func releaseOverdueCalls(_ id: DirectoryID) {
        let now = out.now
        let overdue = directories[id].held.filter { $0.deadline <= now }
        directories[id].held.removeAll { $0.deadline <= now }
        for call in overdue {
            release(id, call)
        }
        touch(id)
    }

    private mutating func release(_ id: DirectoryID, _ call: HeldCall) {
        guard let position = directories[id].observer(call.client) else {
            return failNotObserving(call.token, directories[id].location)
        }
        switch call.kind {
        case .badges(let indices, _):
            reply(call.token, .badges(directories[id].give(indices, to: position, badges)))
        case .directory(let after, let limit):
            let (indices, next) = directories[id].page(after: after, limit: limit)
            directories[id].observers[position].isWhole = true
            var columns = directories[id].give(indices, to: position, badges)
            columns.names = indices.map { directories[id].items.names[Int($0)] }
            reply(call.token, .directory(columns, next: next))
        }
    }

    private mutating func sendSignals(_ id: DirectoryID) {
        directories[id].signalsDue = nil
        var hasSent = false
        for position in directories[id].observers.indices {
            let changed = directories[id].takeChanges(position)
            let observer = directories[id].observers[position]
            var start = 0
            while start < changed.count {
                let part = changed[start..<min(start + Limits.namesPerCall, changed.count)]
                let columns = directories[id].columns(part, badges)
                for spelling in observer.spellings {
                    act(.signalBadges(client: observer.client, directory: spelling.uri, columns))
                }
                start += part.count
                hasSent = true
            }
        }
        if hasSent { directories[id].quietUntil = now + Limits.patience }
    }
}
