/// An item, and a message about it for the user.
public struct ItemMessage: Record {
    /// The item's `file://` URI on this machine.
    public var uri: String
    /// A sentence for the user.
    public var message: String

    /// Creates a message from these values.
    public init(uri: String, message: String) {
        self.uri = uri
        self.message = message
    }

    package static let blank = ItemMessage(uri: "", message: "")

    package static let fields: [Field<ItemMessage>] = [
        .item(\.uri), .init("message", .text, \.message),
    ]
}
