internal import BadgeEngine
internal import RoundelBus

/// A question to a provider.
struct ProviderQuestion {
    let token: RequestToken
    let provider: ProviderEndpoint
    let request: ProviderRequest
}

/// Counts the questions to providers that have not been answered.
///
/// The bus keeps a place for each answer that is due, frees it only with the answer or the end of the one who was asked,
/// and has a limited number of them for the whole service. So a provider that answers nothing gets no more questions
/// than these; further ones wait until it has answered some.
struct QuestionLedger {
    /// The most questions that are on their way to one connection, besides actions and changes.
    static let window = 256
    /// The most that wait behind them.
    static let queue = 4096
    /// The most questions of all kinds that are on their way to one connection.
    static let ceiling = window + Limits.activationsPerProvider + 2
    /// The most questions that are on their way to all connections.
    static let total = 25_000
    /// So many a connection may have on its way even then, so that others cannot take them from it.
    static let share = 16

    enum Advice: Equatable {
        /// Send it.
        case send
        /// It comes back from ``answered(_:isWanted:)``.
        case wait
        /// Answer it in the provider's place.
        case refuse
    }

    private struct Account {
        var open = 0
        var waiting: [ProviderQuestion] = []
    }

    private var accounts: [String: Account] = [:]
    private var open = 0

    /// What to do with a question.
    /// - Parameter isWanted: whether anybody still waits for the answer to a question.
    mutating func admit(_ question: ProviderQuestion, isWanted: (RequestToken) -> Bool) -> Advice {
        let connection = question.provider.connection
        var account = accounts[connection] ?? Account()
        defer { accounts[connection] = account }
        let limit = question.request.waits ? Self.window : Self.ceiling
        if account.open < limit, account.open < Self.share || open < Self.total {
            account.open += 1
            open += 1
            return .send
        }
        guard question.request.waits else { return .refuse }
        if account.waiting.count >= Self.queue { account.waiting.removeAll { !isWanted($0.token) } }
        guard account.waiting.count < Self.queue else { return .refuse }
        account.waiting.append(question)
        return .wait
    }

    /// A connection has answered a question or is gone; gives the question to send now in its place.
    mutating func answered(_ connection: String, isWanted: (RequestToken) -> Bool) -> ProviderQuestion? {
        guard var account = accounts[connection] else { return nil }
        defer { accounts[connection] = account.open > 0 || !account.waiting.isEmpty ? account : nil }
        account.open -= 1
        open -= 1
        let next = account.waiting.firstIndex { isWanted($0.token) }
        account.waiting.removeFirst(next ?? account.waiting.count)
        guard next != nil, account.open < Self.window else { return nil }
        account.open += 1
        open += 1
        return account.waiting.removeFirst()
    }
}

extension ProviderRequest {
    /// Whether the question can be asked later. An action is the person's, who waits for it; changes are one at a time.
    fileprivate var waits: Bool {
        switch self {
        case .requestBadges, .requestDirectory, .getMenu, .getAttributes: true
        case .activate, .itemsChanged: false
        }
    }
}
