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
    /// Where its contents are, or those of all files in it: a ``ContentsPlace``.
    case contents
    /// The size in bytes of what is on this computer of it.
    case bytesHere = "bytes-here"
    /// The size in bytes of what is on the remote alone.
    case bytesOnline = "bytes-online"
    /// The number of files whose contents are on this computer.
    case filesHere = "files-here"
    /// The number of files whose contents are on the remote alone.
    case filesOnline = "files-online"
    /// Whether its contents are always kept on this computer.
    case pinned
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

    enum ValueType { case string, percentage, unsigned, signed, strings, truth }

    /// The type of its value.
    var type: ValueType {
        switch self {
        case .state, .label, .contents, .message, .remoteURI, .permissions: .string
        case .progress: .percentage
        case .bytesDone, .bytesTotal, .bytesHere, .bytesOnline, .filesHere, .filesOnline: .unsigned
        case .pinned: .truth
        case .lastSynced, .lastUsed: .signed
        case .tags: .strings
        }
    }
}

/// Where the contents of an item are, or of all files in a directory; the words of ``AttributeKey/contents``.
public enum ContentsPlace: String, CaseIterable, Sendable {
    /// On this computer.
    case here
    /// Those of some files are on this computer, and those of others on the remote alone.
    case partly
    /// On the remote alone.
    case online
}
