/// Names one method call that waits for its reply; given by the shell, returned with the reply.
public struct CallToken: Hashable, Sendable {
    /// Any number that the shell finds the call again by.
    public let rawValue: UInt64

    /// Takes the shell's number.
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Names one question to a provider; given by the engine, returned with the answer.
public struct RequestToken: Hashable, Comparable, Sendable {
    /// Counts up from 1 and is not used again.
    public let rawValue: UInt64

    /// Takes the engine's number.
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Orders by age.
    public static func < (left: RequestToken, right: RequestToken) -> Bool { left.rawValue < right.rawValue }
}
