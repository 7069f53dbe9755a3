/// What NetworkManager says of the connection: whether what goes over it is paid for.
///
/// Pure. Without NetworkManager nothing is paid for; before its first answer nothing is known.
struct MeteredReading {
    enum Event {
        /// NetworkManager is on the bus, or is not.
        case isThere(Bool)
        /// What it answered or told: a number of `NMMetered`, or nil where there is none.
        case said(UInt32?)
        /// It has something else to say, and did not say what.
        case mayHaveChanged
        /// The bus is gone, or cannot be reached.
        case lost
    }

    enum Action: Equatable {
        /// Ask for the present value.
        case ask
        /// It is known for the first time, or is another one.
        case tell(isMetered: Bool)
    }

    private var known: Bool?

    /// Whether what goes over the connection is paid for, as far as that is known.
    var isMetered: Bool { known ?? false }

    /// Whether there is an answer.
    var isKnown: Bool { known != nil }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .isThere(true), .mayHaveChanged: return [.ask]
        case .isThere(false), .lost: return note(false)
        case .said(let value): return note(value.map(Self.paid.contains) ?? false)
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
