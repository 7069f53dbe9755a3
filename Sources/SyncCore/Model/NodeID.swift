/// The identity that an item keeps while it is renamed, moved and edited (requirement D13).
///
/// One item has the same id in all three trees.
package struct NodeID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The stored number: 1 is the root of the folder, allocated numbers follow; 0 is "no node".
    package var rawValue: Int64

    /// Wraps a stored number.
    package init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The synced folder itself; it has a row in every tree, with an empty name.
    package static let root = NodeID(1)
    /// The parent of the root.
    package static let none = NodeID(0)

    /// Mixes the number into one hash in a few instructions, because rows are looked up by id some hundred times for each
    /// file. The seeded hash of the standard library keeps others from choosing keys that collide; these numbers are
    /// counted up by the store.
    package func _rawHashValue(seed: Int) -> Int {
        let product = UInt64(bitPattern: rawValue ^ Int64(seed)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product ^ (product >> 32))
    }

    /// Orders by the stored number: older nodes first.
    package static func < (left: NodeID, right: NodeID) -> Bool {
        left.rawValue < right.rawValue
    }

    /// `#17`, for messages of tests and logs.
    package var description: String { "#\(rawValue)" }
}
