/// Tracks whether NetworkManager considers the connection metered.
///
/// Pure. Without NetworkManager the connection is not metered; before its first response the state is unknown.
struct MeteredReading {
    enum Event {
        /// Whether NetworkManager is on the bus.
        case isThere(Bool)
        /// The value in a response or signal: a number of `NMMetered`, or nil if there was none.
        case said(UInt32?)
        /// The value changed, but the signal did not contain it.
        case mayHaveChanged
        /// The bus is gone or cannot be reached.
        case lost
    }

    enum Action: Equatable {
        /// Ask for the current value.
        case ask
        /// The state is known for the first time, or has changed.
        case tell(isMetered: Bool)
    }

    private var known: Bool?
    /// Whether NetworkManager has left: a response that it sent before says nothing any more.
    private var hasLeft = false

    /// Whether the connection is metered, as far as is known.
    var isMetered: Bool { known ?? false }

    /// Whether the state is known.
    var isKnown: Bool { known != nil }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .isThere(true):
            hasLeft = false
            return [.ask]
        case .mayHaveChanged: return hasLeft ? [] : [.ask]
        case .isThere(false), .lost:
            hasLeft = true
            return note(false)
        case .said(let value): return hasLeft ? [] : note(value.map(Self.paid.contains) ?? false)
        }
    }

    /// NM_METERED_YES and NM_METERED_GUESS_YES.
    private static let paid: Set<UInt32> = [1, 3]

    private mutating func note(_ isMetered: Bool) -> [Action] {
        guard isMetered != known else { return [] }
        known = isMetered
        return [.tell(isMetered: isMetered)]
    }
}
