package import SyncCore

/// The simulation and tests say in plain words what they make fail.
extension Explanation: ExpressibleByStringLiteral {
    /// The words as they are.
    package init(stringLiteral words: String) { self.init(.text, nil, words) }
}
