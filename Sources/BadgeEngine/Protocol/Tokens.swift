internal import RoundelBus

/// Names one method call that waits for its reply; given by the shell, returned with the reply.
package struct CallToken: Hashable, Sendable {
    /// Any number that the shell finds the call again by.
    package let rawValue: UInt64

    /// A token with the shell's number.
    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Names one question to a provider; given by the engine, returned with the answer.
package struct RequestToken: Hashable, Comparable, Sendable {
    /// Counts up from 1 and is not used again.
    package let rawValue: UInt64

    /// A token with the engine's number.
    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Orders by age.
    package static func < (left: RequestToken, right: RequestToken) -> Bool { left.rawValue < right.rawValue }
}
