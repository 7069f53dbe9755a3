/// Delivers arriving signals to the matching subscriptions.
struct SubscriptionTable {
    private(set) var all: [Subscription] = []

    mutating func insert(_ subscription: Subscription) { all.append(subscription) }

    mutating func remove(_ subscription: Subscription) { all.removeAll { $0 === subscription } }

    /// Passes a signal to every matching subscription, in the order in which they were made.
    func deliver(_ signal: SignalHeader, _ message: Message) {
        for subscription in all where subscription.isActive && subscription.matches(signal, message) {
            subscription.handler(message)
        }
    }
}

/// One subscription to signals.
final class Subscription {
    let rule: MatchRule
    let text: String
    let handler: (Message) -> Void
    var isActive = true
    /// The owner of the well-known name that the rule has as its sender.
    var senderOwner: String?

    init(_ rule: MatchRule, _ text: String, _ handler: @escaping (Message) -> Void) {
        self.rule = rule
        self.text = text
        self.handler = handler
    }

    var hasWellKnownSender: Bool {
        guard let sender = rule.sender else { return false }
        return sender != BusDaemon.name && !NameRules.isUniqueName(sender)
    }

    func matches(_ signal: SignalHeader, _ message: Message) -> Bool {
        if let sender = rule.sender, (hasWellKnownSender ? senderOwner : sender) != signal.sender { return false }
        return rule.matches(signal, message)
    }
}

extension Connection {
    /// Calls `handler` with each signal that `rule` matches, until the registration is cancelled.
    ///
    /// - Throws: `MatchRuleInvalid` if the rule is malformed, `Disconnected`.
    public func subscribe(
        _ rule: MatchRule, _ handler: @escaping (Message) -> Void
    ) throws(DBusError) -> Registration {
        let subscription = Subscription(rule, try rule.text(), handler)
        var ownerWatch: Registration?
        if subscription.hasWellKnownSender, let sender = rule.sender {
            // This is requested first, so that the reply arrives before the first signal that matches the rule.
            ownerWatch = try watchName(sender) { [weak subscription] owner in subscription?.senderOwner = owner }
        }
        try sendToBus("AddMatch", subscription.text)
        subscriptions.insert(subscription)
        return Registration { [weak self] in
            subscription.isActive = false
            ownerWatch?.cancel()
            self?.subscriptions.remove(subscription)
            // If this fails, the bus is gone, and the rule with it.
            try? self?.sendToBus("RemoveMatch", subscription.text)
        }
    }

    private func sendToBus(_ member: String, _ rule: String) throws(DBusError) {
        do {
            try callNoReply(BusDaemon.name, BusDaemon.path, BusDaemon.interface, member) { try $0.append(rule) }
        } catch { throw .from(error) }
    }
}
