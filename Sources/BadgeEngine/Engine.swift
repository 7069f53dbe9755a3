internal import RoundelBus
package import Support

/// Decides everything that the badge service does: takes events and returns actions, but does nothing itself. Its
/// memory depends on what is observed, not on the size of the folders.
package struct Engine: Sendable {
    var providers = ProviderTable()
    var folderTable = FolderTable()
    /// The nestings that the user has consented to.
    var allowedNestings: Set<FolderNesting> = []
    /// Whether the installed manifests count as known when they are reported first, because an earlier version, which
    /// did not ask about them, saved the state.
    var knowsManifests = false
    private var lastRank: UInt64 = 0
    /// Whether Roundel's window is installed.
    var hasWindow = false
    var observers = ObserverTable()
    var directories = DirectoryTable()
    var badges = BadgeInterner()
    var menus = Menus()
    var folderChecks = FolderChecks()
    var watcherFlushes = WatcherFlushes()
    var placeQuestions = PlaceQuestions()
    /// The places of directories that were just found, while the calls about them are handled.
    var foundPlaces: [ItemURI: FoundPlace] = [:]

    var out = ActionQueue()
    private var armed: Instant?

    /// An engine without any state.
    package init() {}

    /// Handles one event; returns the actions in order.
    package mutating func handle(_ event: Event, now: Instant) -> [Action] {
        out.begin(at: now)
        switch event {
        case .host(let call): handle(call)
        case .registry(let call): handle(call)
        case .settings(let call): handle(call)
        case .answer(let token, let answer): handle(answer, to: token)
        case .timer: handleTimer()
        case .peerLeft(let name): peerLeft(name)
        case .receiverFellBehind(let client): reset(client)
        case .foldersChecked(let token, let facts): foldersChecked(token, facts)
        case .folderChanged(let facts): folderChanged(facts)
        case .itemsVanished(let directory, let names): itemsVanished(directory, names)
        case .itemsPresent(let directory, let names): itemsPresent(directory, names)
        case .directoryVanished(let directory): directoryVanished(directory)
        case .directoryReturned(let directory): directoryReturned(directory)
        case .linkChanged(let link): linkChanged(link)
        case .itemsChanged(let changes): forward(changes)
        case .flushed(let token): flushed(token)
        case .itemsInspected(let token, let facts): menus.inspected(token, facts, &out)
        case .typesFound(let token, let types): menus.typed(token, types, &out)
        case .placesFound(let token, let places): placesFound(token, places)
        case .manifests(let manifests): manifestsChanged(manifests)
        case .restored(let state): restore(state)
        case .activationFailed(let id, let message): activationFailed(id, message)
        case .windowFound(let isThere): windowFound(isThere)
        case .windowAnswered(let request, let isShown): windowAnswered(request, isShown)
        }
        // Processing one may touch others: resetting a caller ends the observation of all its directories.
        while let id = directories.popTouched() { process(id) }
        for change in observers.releaseLinkChanges() { act(change) }
        armTimer()
        return out.end()
    }

    // MARK: Used by the other parts of the engine

    /// The time of the current event.
    var now: Instant { out.now }

    mutating func act(_ action: Action) { out.act(action) }

    mutating func reply(_ token: CallToken, _ reply: Reply) { out.reply(token, reply) }

    mutating func fail(_ token: CallToken, _ refusal: Refusal) { out.fail(token, refusal) }

    /// The rank of a folder that is registered now.
    mutating func makeRank() -> UInt64 {
        lastRank += 1
        return lastRank
    }

    // MARK: What providers answer

    /// Whether the answer to a question still matters.
    package func isAwaited(_ token: RequestToken) -> Bool { out.answers.contains(token) }

    /// The host on whose behalf a question is asked, "" for none in particular: each host has its turns at a provider.
    package func asker(of token: RequestToken) -> String { out.answers.asker(of: token) }

    private mutating func handle(_ answer: ProviderAnswer, to token: RequestToken) {
        guard let request = out.answers.remove(token) else { return }
        out.asker = request.asker
        switch request.purpose {
        case .badges(let id, let indices): applyBadges(answer, token, request.provider, id, indices)
        case .directory(let id, let after): applyPage(answer, token, request.provider, id, after)
        case .menu(let build): applyMenu(answer, request.provider, build)
        case .attributes(let call, let keys): applyAttributes(answer, request.provider, call, keys: keys)
        case .activation(let activation): reportOutcome(answer, request.provider, activation)
        case .changes: changesAnswered(request.provider, token, answer)
        }
    }

    /// Records, logs and shows that a provider did not answer correctly.
    mutating func blame(_ provider: ProviderID, _ answer: ProviderAnswer) {
        guard providers[provider] != nil else { return }
        let said: String?
        switch answer {
        case .gone: return
        case .failed(let name, let message): said = (message.isEmpty ? name : message).shortened(to: Limits.errorText)
        case .badges, .directory, .menu, .attributes, .done, .product, .malformed: said = nil
        }
        guard providers[provider]?.noteError(said ?? Self.answeredWrongly) ?? false else { return }
        let logged = said ?? "the answer has the wrong type or length"
        act(.warn("The provider \(provider.rawValue) failed to answer: \(logged)"))
        act(.providersChanged)
    }

    // MARK: Time

    private mutating func handleTimer() {
        armed = nil
        while let first = out.deadlines.first, first.time <= now {
            out.deadlines.removeFirst()
            guard isMeant(first) else { continue }
            switch first.purpose {
            case .heldCalls(let id): releaseOverdueCalls(id)
            case .signals(let id): directories.touch(id)
            case .menu(let build):
                for provider in menus.overdue(build, &out) { noteFailure(.silent, of: provider, at: .menus) }
            case .attributes(let token): attributesOverdue(token)
            case .menuExpiry(let menu): menus.expire(menu)
            case .places(let token): placesFound(token, [])
            }
        }
    }

    /// Whether a deadline still matters.
    private func isMeant(_ deadline: DeadlineQueue.Deadline) -> Bool {
        switch deadline.purpose {
        case .heldCalls(let id): directories.contains(id) && directories[id].holdsCall(until: deadline.time)
        case .signals(let id): directories.contains(id) && directories[id].isSignalDue(at: deadline.time)
        case .menu(let build): menus.isBuilding(build)
        case .attributes(let token): out.answers.contains(token)
        case .menuExpiry(let menu): menus.isGiven(menu)
        case .places(let token): placeQuestions.contains(token)
        }
    }

    private mutating func armTimer() {
        while let first = out.deadlines.first, !isMeant(first) { out.deadlines.removeFirst() }
        if out.deadlines.isCrowded {
            let kept = out.deadlines.all.filter { isMeant($0) }
            out.deadlines.replaceAll(kept)
        }
        guard out.deadlines.first?.time != armed else { return }
        armed = out.deadlines.first?.time
        act(.setTimer(armed))
    }

    static var answeredWrongly: String { tr("It answered with the wrong type or length.") }
}
