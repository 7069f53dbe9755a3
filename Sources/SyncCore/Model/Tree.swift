/// The two places that are kept equal.
package enum Side: UInt8, Hashable, Sendable, CaseIterable {
    /// The folder on this machine.
    case local = 0
    /// The remote.
    case remote = 1

    /// The other side.
    package var other: Side { self == .local ? .remote : .local }
    /// The tree that holds what was last seen on this side.
    package var tree: Tree { self == .local ? .local : .remote }
}

/// The three trees that the store keeps.
package enum Tree: UInt8, Hashable, Sendable, CaseIterable {
    /// The local folder as last seen.
    case local = 0
    /// The remote as last seen.
    case remote = 1
    /// The merge base: what both sides held when the item was last synced.
    case synced = 2
}
