/// An item that could not be synced, is in conflict or waits for something.
public struct SyncProblem: Record {
    /// The ID of the folder.
    public var folder: String
    /// The item's `file://` URI on this machine.
    public var uri: String
    /// A common badge: error, conflict or pending.
    public var state: Badge
    /// A sentence for the user: why, and what to do.
    public var message: String

    /// Creates a problem from these values.
    public init(folder: String, uri: String, state: Badge, message: String) {
        self.folder = folder
        self.uri = uri
        self.state = state
        self.message = message
    }

    package static let blank = SyncProblem(folder: "", uri: "", state: .none, message: "")

    package static let fields: [Field<SyncProblem>] = [
        .item(\.uri), .init("folder", .text, \.folder), .init("state", .badge, \.state, .needed),
        .init("message", .text, \.message),
    ]
}
