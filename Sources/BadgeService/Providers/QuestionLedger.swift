internal import BadgeEngine
internal import DBus
internal import RoundelBus

/// A question to a provider.
struct ProviderQuestion {
    let token: RequestToken
    let provider: ProviderEndpoint
    /// The host that asks; "" for none in particular.
    let asker: String
    let request: ProviderRequest
}

/// Counts the unanswered questions to providers.
///
/// The bus reserves a place for each expected answer, frees it only with the answer or when the asked connection ends,
/// and has a limited number of places for the whole service. So a provider that does not respond gets no more than this
/// number of questions; further ones wait until it has answered some. Hosts take turns, so a host with many questions
/// delays only its own.
struct QuestionLedger {
    /// The maximum number of open questions to one connection, besides actions and changes.
    static let window = 256
    /// The maximum number of these for one host.
    static let windowOfHost = 32
    /// The maximum number of questions waiting for one connection.
    static let queue = 4096
    /// The maximum number of these for one host.
    static let queueOfHost = 1024
    /// How many waiting questions are examined at most, of the host and of all, to make room for another one.
    static let sweep = 64
    /// The maximum number of open questions of all kinds to one connection.
    static let ceiling = window + Limits.activationsPerProvider + 2
    /// The maximum number of open questions to all connections.
    static let total = 25_000
    /// How many questions each connection may always have open, and each host waiting, so that others cannot use up its
    /// share.
    static let share = 16

    enum Advice: Equatable {
        /// Send it.
        case send
        /// Keep it; ``answered(_:isWanted:)`` returns it later.
        case wait
        /// Refuse it in place of the provider.
        case refuse
    }

    private struct Account {
        var open = 0
        /// For each host, the number of open questions that could have waited.
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

    /// Decides what to do with a question.
    /// - Parameter isWanted: Whether any caller still waits for the answer to a question.
    mutating func admit(_ question: ProviderQuestion, isWanted: (RequestToken) -> Bool) -> Advice {
        let connection = question.provider.connection
        // Removed, so that its queue is not copied when it changes.
        var account = accounts.removeValue(forKey: connection) ?? Account()
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
        if !mayWait() { account.waiting.sweep(question.asker, Self.sweep) { !isWanted($0.token) } }
        guard mayWait() else { return .refuse }
        account.waiting.append(question, from: question.asker)
        return .wait
    }

    /// Records that a connection answered a question or left; returns the question to send next.
    mutating func answered(
        _ question: ProviderQuestion, isWanted: (RequestToken) -> Bool
    ) -> ProviderQuestion? {
        let connection = question.provider.connection
        guard var account = accounts.removeValue(forKey: connection) else { return nil }
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
    /// Whether the question can wait. An action cannot, because the user waits for it; nor can a change, because there
    /// is only one at a time.
    fileprivate var waits: Bool {
        switch self {
        case .requestBadges, .requestDirectory, .getMenu, .getAttributes: true
        case .activate, .itemsChanged: false
        }
    }
}
