/// The result of an action, with its number on the bus.
public enum ActionOutcome: UInt32, CaseIterable, Sendable {
    /// The action succeeded.
    case done = 0
    /// The user cancelled it.
    case cancelled = 1
    /// It failed; the message says why.
    case failed = 2

    /// The outcome for a number from the bus; a number that this version does not know counts as a failure.
    init(wire number: UInt32) { self = ActionOutcome(rawValue: number) ?? .failed }
}
