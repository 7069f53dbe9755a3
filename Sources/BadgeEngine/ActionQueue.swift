internal import RoundelBus
internal import Support

/// What leaves the engine: the actions of one event in order, the questions that wait for an answer, what is due when.
struct ActionQueue {
    /// The time of the event that is being handled.
    private(set) var now = Instant(nanoseconds: 0)
    var answers = PendingAnswers()
    /// The host for which providers are asked now; "" for none in particular.
    var asker = ""
    var deadlines = DeadlineQueue()
    private var actions: [Action] = []

    /// Begins with an event.
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

    /// A token for ``ask(_:at:_:for:as:)``, where it is needed before the question.
    mutating func makeToken() -> RequestToken { answers.makeToken() }

    /// Asks a provider; its answer comes for this purpose.
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
