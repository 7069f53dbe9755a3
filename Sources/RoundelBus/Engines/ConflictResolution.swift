/// What became of a decision on a conflict.
public struct ConflictResolution: Record {
    /// The URI of the path that has the name now; nil if the engine does not report it.
    public var uri: String?
    /// Whether the folder cannot be synced now, so that the decision, or its part on the other side, is carried out when
    /// it can.
    public var waits: Bool

    /// Creates one with these values.
    public init(uri: String?, waits: Bool) {
        self.uri = uri
        self.waits = waits
    }

    package static let blank = ConflictResolution(uri: nil, waits: false)

    package static let fields: [Field<ConflictResolution>] = [
        .init(optional: "uri", .text, \.uri), .init("waits", .truth, \.waits),
    ]
}
