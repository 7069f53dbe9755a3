/// Which way contents go over a network.
package enum TransferDirection: Hashable, Sendable, CaseIterable {
    /// From this computer to the remote.
    case up
    /// From the remote to this computer.
    case down
}

/// How many bytes may pass in a second, each way.
package struct BandwidthLimits: Hashable, Sendable {
    /// Bytes a second to the remote; nil for as many as go.
    package var up: UInt64?
    /// Bytes a second to this computer; nil for as many as go.
    package var down: UInt64?

    /// No limits.
    package static let none = BandwidthLimits()

    /// Limits, or none.
    package init(up: UInt64? = nil, down: UInt64? = nil) {
        self.up = up
        self.down = down
    }

    /// The limit of one way.
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
