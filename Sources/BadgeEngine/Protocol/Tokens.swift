internal import RoundelBus

/// Identifies a method call that waits for its reply; assigned by the shell, returned with the reply.
package struct CallToken: Hashable, Sendable {
    /// Any number with which the shell finds the call again.
    package let rawValue: UInt64

    /// A token with the shell's number.
    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Identifies a question to a provider; assigned by the engine, returned with the answer.
package struct RequestToken: Hashable, Comparable, Sendable {
    /// Counts up from 1 and is never reused.
    package let rawValue: UInt64

    /// A token with the engine's number.
    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Orders by age.
    package static func < (left: RequestToken, right: RequestToken) -> Bool { left.rawValue < right.rawValue }
}
