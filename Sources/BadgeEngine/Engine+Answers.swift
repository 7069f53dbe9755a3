internal import RoundelBus

/// What providers answer.
extension Engine {
    /// Whether the answer to a question still matters.
    package func isAwaited(_ token: RequestToken) -> Bool { out.answers.contains(token) }

    mutating func handle(_ answer: ProviderAnswer, to token: RequestToken) {
        guard let request = out.answers.remove(token) else { return }
        switch request.purpose {
        case .badges(let id, let indices): applyBadges(answer, token, request.provider, id, indices)
        case .directory(let id, let after): applyPage(answer, token, request.provider, id, after)
        case .menu(let build): applyMenu(answer, request.provider, build)
        case .attributes(let call, let keys): applyAttributes(answer, request.provider, call, keys: keys)
        case .activation(let activation): reportOutcome(answer, request.provider, activation)
        case .changes: changesAnswered(request.provider, token, answer)
        }
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
