/// The end of an action, with its numbers on the bus.
public enum ActionOutcome: UInt32, Sendable {
    /// The action did what it says.
    case done = 0
    /// The person called it off.
    case cancelled = 1
    /// It failed; the message says why.
    case failed = 2
}
