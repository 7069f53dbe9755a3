package import DBus

/// An item, and a message about it for the user.
public struct ItemMessage: SyncWorkerValue {
    /// The item's `file://` URI on this machine.
    public var uri: String
    /// A sentence for the user.
    public var message: String

    /// Creates a message from these values.
    public init(uri: String, message: String) {
        self.uri = uri
        self.message = message
    }

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        guard let uri = map.string("uri") else { return nil }
        self.init(uri: uri, message: map.string("message") ?? "")
    }

    /// The dictionary of the interface.
    package var map: VariantMap { ["uri": .string(uri), "message": .string(message)] }
}
