package import DBus

/// An item, and what a person is to read about it.
public struct ItemMessage: SyncWorkerValue {
    /// The item's `file://` URI on this machine.
    public var uri: String
    /// A sentence for a person.
    public var message: String

    /// Takes the values.
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
