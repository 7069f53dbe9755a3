/// Decides whether a folder waits for a connection that is not metered.
///
/// Pure. A person can let the folder use any connection for good, or for one run by asking for that.
struct MeteredHold {
    enum Event {
        /// Whether the connection is metered.
        case metered(Bool)
        /// Whether the folder may use one that is.
        case allowed(Bool)
        /// A person wants the folder to be synced now.
        case asked
        /// What was asked for is done.
        case answered
    }

    enum Change: Equatable { case hold, goOn }

    private var isMetered = false
    private var isAllowed: Bool
    private var isAsked = false

    /// - Parameter isAllowed: Whether the folder may use a metered connection by itself.
    init(isAllowed: Bool) { self.isAllowed = isAllowed }

    /// Whether the folder waits.
    var isHeld: Bool { isMetered && !isAllowed && !isAsked }

    /// What is to be done about it; nil for nothing.
    mutating func handle(_ event: Event) -> Change? {
        let before = isHeld
        switch event {
        case .metered(let isMetered): self.isMetered = isMetered
        case .allowed(let isAllowed): self.isAllowed = isAllowed
        case .asked: isAsked = true
        case .answered: isAsked = false
        }
        return before == isHeld ? nil : isHeld ? .hold : .goOn
    }
}
