internal import RoundelBus

/// What providers answer.
extension Engine {
    /// Whether the answer to a question still matters.
    package func isAwaited(_ token: RequestToken) -> Bool { out.answers.contains(token) }

    mutating func handle(_ answer: ProviderAnswer, to token: RequestToken) {
        guard let request = out.answers.take(token) else { return }
        switch request.purpose {
        case .badges(let id, let indices): applyBadges(answer, token, request.provider, id, indices)
        case .directory(let id, let after): applyPage(answer, token, request.provider, id, after)
        case .menu(let build): applyMenu(answer, request.provider, build)
        case .attributes(let call, let keys): applyAttributes(answer, request.provider, call, keys: keys)
        case .activation(let activation): reportOutcome(answer, request.provider, activation)
        case .changes: changesAnswered(request.provider, token, answer)
        }
    }

    private mutating func applyBadges(
        _ answer: ProviderAnswer, _ token: RequestToken, _ provider: ProviderID, _ id: DirectoryID, _ indices: [Int32]
    ) {
        guard directories.contains(id) else { return }
        makeRoomForBadges()
        directories[id].requests.remove(token)
        touch(id)
        guard case .badges(let columns) = answer, columns.hasEqualValueColumns, columns.count == indices.count else {
            blame(provider, answer)
            for index in indices {
                directories[id].answer(Int(index), to: token, .none)
            }
            return
        }
        for (row, index) in indices.enumerated() {
            directories[id].answer(Int(index), to: token, state(columns, row, of: provider))
        }
    }

    private mutating func applyPage(
        _ answer: ProviderAnswer, _ token: RequestToken, _ provider: ProviderID, _ id: DirectoryID, _ after: ItemName?
    ) {
        guard directories.contains(id) else { return }
        directories[id].requests.remove(token)
        guard case .loading(token, let received) = directories[id].load else { return }
        makeRoomForBadges()
        touch(id)
        guard case .directory(let columns, let next) = answer, isPage(columns, after: after, next: next) else {
            blame(provider, answer)
            return directories[id].finishLoad()
        }
        for (row, name) in columns.names.enumerated() where directories[id].provider(of: name) == provider {
            let state = state(columns, row, of: provider)
            directories[id].list(name, state)
        }
        let total = received + columns.count
        guard let next, total < Limits.itemsPerDirectory, let owner = directories[id].owner,
            let endpoint = providers.activeEndpoint(provider)
        else { return directories[id].finishLoad() }
        askForPage(id, owner, endpoint, after: next, received: total)
    }

    /// Whether an answer is well formed and gets on, so that it comes to an end.
    private func isPage(_ columns: BadgeColumns, after: ItemName?, next: ItemName?) -> Bool {
        guard columns.isRectangular, columns.count <= Limits.namesPerCall else { return false }
        guard let next else { return true }
        guard columns.count > 0 else { return false }
        return after.map { $0 < next } ?? true
    }

    /// A row of what a provider says; a badge that is not the provider's to give, or one too many, counts as none, and so
    /// does a progress that is no percentage.
    mutating func state(_ columns: BadgeColumns, _ row: Int, of provider: ProviderID) -> ItemState {
        let badge = columns.badges[row]
        let progress = columns.progress[row]
        return ItemState(
            flags: columns.flags[row],
            badge: badge.isAllowed(for: provider) ? badges.index(of: badge, for: provider) ?? 0 : 0,
            progress: Progress.isValid(progress) ? progress : Progress.none)
    }

    /// Frees the numbers of badges that no item bears any more, where they may run out.
    mutating func makeRoomForBadges() {
        guard badges.isCrowded else { return }
        var needed: Set<UInt16> = []
        for id in directories.ids { directories[id].collectBadges(into: &needed) }
        badges.keep(needed)
    }

    /// Notes that a provider did not answer as it should.
    mutating func blame(_ provider: ProviderID, _ answer: ProviderAnswer) {
        guard providers[provider] != nil else { return }
        let problem: String
        switch answer {
        case .gone: return
        case .failed(let name, let message): problem = message.isEmpty ? name : message
        case .badges, .directory, .menu, .attributes, .done, .malformed:
            problem = Texts.answeredWrongly
        }
        guard providers[provider]?.lastError != problem else { return }
        providers[provider]?.lastError = problem
        act(.warn("The provider \(provider) failed to answer: \(problem)"))
        act(.providersChanged)
    }
}
