package import DBus

/// What became of a decision on a conflict.
public struct ConflictResolution: Hashable, Sendable {
    /// The URI of the path that has the name now; nil if the worker does not report it.
    public var uri: String?
    /// Whether the folder cannot be synced now, so that the decision, or its part on the other side, is carried out when
    /// it can.
    public var waits: Bool

    /// Creates one with these values.
    public init(uri: String?, waits: Bool) {
        self.uri = uri
        self.waits = waits
    }

    /// Reads the dictionary of the interface.
    package init(_ map: VariantMap) {
        self.init(uri: map.string("uri"), waits: map.bool("waits") ?? false)
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        var map: VariantMap = ["waits": .bool(waits)]
        map["uri"] = uri.map(DBusValue.string)
        return map
    }
}
