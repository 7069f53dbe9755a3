/// The end of an action, with its numbers on the bus.
public enum ActionOutcome: UInt32, CaseIterable, Sendable {
    /// The action did what it says.
    case done = 0
    /// The person called it off.
    case cancelled = 1
    /// It failed; the message says why.
    case failed = 2

    /// The outcome of a number from the bus; one that this version does not know counts as a failure.
    init(wire number: UInt32) { self = ActionOutcome(rawValue: number) ?? .failed }
}
