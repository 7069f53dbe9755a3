/// Decides whether a folder waits for an unmetered connection.
///
/// Pure. The user can let the folder use any connection permanently, or for one run by requesting it.
struct MeteredHold {
    enum Event {
        /// Whether the connection is metered.
        case metered(Bool)
        /// Whether the folder may use a metered connection.
        case allowed(Bool)
        /// The user wants the folder to be synced now.
        case asked
        /// The requested sync is done.
        case answered
    }

    enum Change: Equatable { case hold, goOn }

    private var isMetered = false
    private var isAllowed: Bool
    private var isAsked = false

    /// - Parameter isAllowed: Whether the folder may use a metered connection on its own.
    init(isAllowed: Bool) { self.isAllowed = isAllowed }

    /// Whether the folder waits.
    var isHeld: Bool { isMetered && !isAllowed && !isAsked }

    /// The change to make; nil for none.
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
