internal import BadgeEngine
internal import DBus
internal import RoundelBus

/// A question to a provider.
struct ProviderQuestion {
    let token: RequestToken
    let provider: ProviderEndpoint
    /// The host that wants to know; "" for none in particular.
    let asker: String
    let request: ProviderRequest
}

/// Counts the questions to providers that have not been answered.
///
/// The bus keeps a place for each answer that is due, frees it only with the answer or the end of the one who was asked,
/// and has a limited number of them for the whole service. So a provider that answers nothing gets no more questions
/// than these; further ones wait until it has answered some. Hosts have their turns: one that wants to know much waits
/// behind itself alone.
struct QuestionLedger {
    /// The most questions that are on their way to one connection, besides actions and changes.
    static let window = 256
    /// The most of them that are one host's.
    static let windowOfHost = 32
    /// The most that wait behind them.
    static let queue = 4096
    /// The most that wait of one host.
    static let queueOfHost = 1024
    /// The most questions of all kinds that are on their way to one connection.
    static let ceiling = window + Limits.activationsPerProvider + 2
    /// The most questions that are on their way to all connections.
    static let total = 25_000
    /// So many a connection may have on its way, and a host waiting, even then, so that others cannot take them from it.
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
        /// By host, of those that can wait.
        var openOfHost: [String: Int] = [:]
        var waiting = FairQueue<ProviderQuestion>()

        mutating func begin(_ question: ProviderQuestion) {
            open += 1
            if question.request.waits { openOfHost[question.asker, default: 0] += 1 }
        }

        mutating func end(_ question: ProviderQuestion) {
            open -= 1
            guard question.request.waits, let count = openOfHost[question.asker] else { return }
            openOfHost[question.asker] = count > 1 ? count - 1 : nil
        }

        func hasRoom(for host: String) -> Bool { openOfHost[host] ?? 0 < windowOfHost }
    }

    private var accounts: [String: Account] = [:]
    private var open = 0

    /// What to do with a question.
    /// - Parameter isWanted: whether anybody still waits for the answer to a question.
    mutating func admit(_ question: ProviderQuestion, isWanted: (RequestToken) -> Bool) -> Advice {
        let connection = question.provider.connection
        var account = accounts[connection] ?? Account()
        defer { accounts[connection] = account }
        let waits = question.request.waits
        let limit = waits ? Self.window : Self.ceiling
        let hasRoom = account.open < limit && (account.open < Self.share || open < Self.total)
        if hasRoom, !waits || account.hasRoom(for: question.asker) {
            account.begin(question)
            open += 1
            return .send
        }
        guard waits else { return .refuse }
        func mayWait() -> Bool {
            let own = account.waiting.count(of: question.asker)
            return own < (account.waiting.count < Self.queue ? Self.queueOfHost : Self.share)
        }
        if !mayWait() { account.waiting.removeAll { !isWanted($0.token) } }
        guard mayWait() else { return .refuse }
        account.waiting.append(question, from: question.asker)
        return .wait
    }

    /// A connection has answered a question or is gone; gives the question to send now in its place.
    mutating func answered(
        _ question: ProviderQuestion, isWanted: (RequestToken) -> Bool
    ) -> ProviderQuestion? {
        let connection = question.provider.connection
        guard var account = accounts[connection] else { return nil }
        defer { accounts[connection] = account.open > 0 || !account.waiting.isEmpty ? account : nil }
        account.end(question)
        open -= 1
        guard account.open < Self.window else { return nil }
        while let next = account.waiting.next(where: { [openOfHost = account.openOfHost] in
            openOfHost[$0] ?? 0 < Self.windowOfHost
        }) {
            guard isWanted(next.token) else { continue }
            account.begin(next)
            open += 1
            return next
        }
        return nil
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
