internal import RoundelBus
internal import Support

/// The engine's output: the actions of one event in order, the questions that wait for an answer, and the deadlines.
struct ActionQueue {
    /// The time of the current event.
    private(set) var now = Instant(nanoseconds: 0)
    var answers = PendingAnswers()
    /// The host on whose behalf providers are asked now; "" for none in particular.
    var asker = ""
    var deadlines = DeadlineQueue()
    private var actions: [Action] = []

    /// Begins an event.
    mutating func begin(at time: Instant) {
        now = time
        asker = ""
    }

    /// The actions since the event began.
    mutating func end() -> [Action] {
        var result: [Action] = []
        swap(&result, &actions)
        return result
    }

    mutating func act(_ action: Action) { actions.append(action) }

    mutating func reply(_ token: CallToken, _ reply: Reply) { actions.append(.reply(token, reply)) }

    mutating func fail(_ token: CallToken, _ refusal: Refusal) { actions.append(.fail(token, refusal)) }

    /// Creates a token for ``ask(_:at:_:for:as:)``, if it is needed before the question.
    mutating func makeToken() -> RequestToken { answers.makeToken() }

    /// Asks a provider; the answer is handled for this purpose.
    @discardableResult
    mutating func ask(
        _ provider: ProviderID, at endpoint: ProviderEndpoint, _ request: ProviderRequest,
        for purpose: PendingRequest.Purpose
    ) -> RequestToken {
        let token = makeToken()
        ask(provider, at: endpoint, request, for: purpose, as: token)
        return token
    }

    mutating func ask(
        _ provider: ProviderID, at endpoint: ProviderEndpoint, _ request: ProviderRequest,
        for purpose: PendingRequest.Purpose, as token: RequestToken
    ) {
        answers.add(token, PendingRequest(provider: provider, asker: asker, purpose: purpose))
        act(.ask(token, endpoint, request))
    }
}
