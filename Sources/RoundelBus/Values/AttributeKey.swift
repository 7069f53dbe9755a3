/// An attribute of an item, by its key on the bus.
public enum AttributeKey: String, CaseIterable, Sendable {
    /// The badge of the item.
    case state
    /// The state in words.
    case label
    /// 0 to 100 per cent, or ``Progress/none``.
    case progress
    /// The number of bytes transferred so far.
    case bytesDone = "bytes-done"
    /// The total number of bytes to transfer.
    case bytesTotal = "bytes-total"
    /// When it was last synced, microseconds since 1970 in UTC.
    case lastSynced = "last-synced"
    /// When it was last used, microseconds since 1970 in UTC.
    case lastUsed = "last-used"
    /// A sentence with the reason for its state.
    case message
    /// Its address on the remote.
    case remoteURI = "remote-uri"
    /// What the user may do with it and who shares or has locked it, in words.
    case permissions
    /// The user's tags.
    case tags

    enum ValueType { case string, percentage, unsigned, signed, strings }

    /// The type of its value.
    var type: ValueType {
        switch self {
        case .state, .label, .message, .remoteURI, .permissions: .string
        case .progress: .percentage
        case .bytesDone, .bytesTotal: .unsigned
        case .lastSynced, .lastUsed: .signed
        case .tags: .strings
        }
    }
}
