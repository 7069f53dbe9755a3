/// The timer after which the session tries again what failed, what could not be looked at, and what must wait.
struct RetryTimer {
    /// Whether it has fired, so that it must be set again.
    private(set) var isDue = false

    /// It has fired.
    mutating func fired() { isDue = true }

    /// Sets it to the first moment at which anything can be tried again, if there is one.
    mutating func set(_ items: Items, _ survey: Survey, _ halt: Halt?, _ outbox: inout Outbox) {
        isDue = false
        if let wait = Self.wait(items, survey, halt) { outbox.setTimer(.retry, after: wait) }
    }

    private static func wait(_ items: Items, _ survey: Survey, _ halt: Halt?) -> Duration? {
        switch halt {
        case .offline(let message):
            return message.requestedWait.map { min($0, items.pauses.longestItem) } ?? items.pauses.offline
        case .stopped: return items.pauses.stopped
        case .confirmDeletes, .restored, nil: break
        }
        let isIncomplete = !survey.unlisted.isEmpty || items.mounts.hasAway
        let incomplete = isIncomplete ? items.now.instant + items.pauses.incomplete : nil
        let due = [items.blocks.nextDue, items.fetched.nextDue, incomplete].compactMap(\.self).min()
        return due.map { $0 - items.now.instant }
    }
}
