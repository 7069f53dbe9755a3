/// The direction in which contents pass over a network.
package enum TransferDirection: Hashable, Sendable, CaseIterable {
    /// From this computer to the remote.
    case up
    /// From the remote to this computer.
    case down
}

/// How many bytes may pass per second in each direction.
package struct BandwidthLimits: Hashable, Sendable {
    /// Bytes per second to the remote; nil for unlimited.
    package var up: UInt64?
    /// Bytes per second to this computer; nil for unlimited.
    package var down: UInt64?

    /// No limits.
    package static let none = BandwidthLimits()

    /// The given limits; nil for unlimited.
    package init(up: UInt64? = nil, down: UInt64? = nil) {
        self.up = up
        self.down = down
    }

    /// The limit of one direction.
    package subscript(direction: TransferDirection) -> UInt64? {
        get {
            switch direction {
            case .up: up
            case .down: down
            }
        }
        set {
            switch direction {
            case .up: up = newValue
            case .down: down = newValue
            }
        }
    }
}
