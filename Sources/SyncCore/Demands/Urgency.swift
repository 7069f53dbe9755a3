/// Which effects go before which others.
package enum Urgency: Int, Hashable, Sendable, Comparable {
    /// Whenever it is their turn.
    case ordinary
    /// Somebody asked for it: they go before all ordinary ones.
    case demanded
    /// A program waits for it: they wait for no other effect.
    case awaited

    /// Orders by urgency.
    package static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
}
