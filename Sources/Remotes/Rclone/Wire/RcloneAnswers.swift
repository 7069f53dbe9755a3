/// An item as rclone reports it (`operations/list`, `operations/stat`).
struct RcloneItem: Decodable, Sendable {
    /// Relative to the directory that was asked for.
    var path: String
    var name: String
    /// Bytes; negative if unknown.
    var size: Int64
    /// In the format of RFC 3339; some backends report none for directories.
    var modified: String?
    var isDirectory: Bool
    /// The service's identifier of the item.
    var id: String?
    var hashes: [String: String]?

    private enum CodingKeys: String, CodingKey {
        case path = "Path"
        case name = "Name"
        case size = "Size"
        case modified = "ModTime"
        case isDirectory = "IsDir"
        case id = "ID"
        case hashes = "Hashes"
    }
}

/// The entries of a directory.
struct RcloneListing: Decodable, Sendable {
    var list: [RcloneItem]
}

/// One item; nil if nothing is there.
struct RcloneEntry: Decodable, Sendable {
    var item: RcloneItem?
}

/// What the backend of a remote can do (`operations/fsinfo`).
struct RcloneInfo: Decodable, Sendable {
    struct Features: Decodable, Sendable {
        var move: Bool
        var copy: Bool
        var directoryMove: Bool
        var emptyDirectories: Bool
        var foldsCase: Bool
        var slowHash: Bool
        var isBucket: Bool

        private enum CodingKeys: String, CodingKey {
            case move = "Move"
            case copy = "Copy"
            case directoryMove = "DirMove"
            case emptyDirectories = "CanHaveEmptyDirectories"
            case foldsCase = "CaseInsensitive"
            case slowHash = "SlowHash"
            case isBucket = "BucketBased"
        }
    }

    var features: Features
    var hashes: [String]
    /// The smallest difference between two times, in nanoseconds.
    var precision: Int64

    private enum CodingKeys: String, CodingKey {
        case features = "Features"
        case hashes = "Hashes"
        case precision = "Precision"
    }
}

/// The names of all configured remotes.
struct RcloneNames: Decodable, Sendable {
    var remotes: [String]
}

/// The progress of a transfer.
struct RcloneStatistics: Decodable, Sendable {
    var bytes: Int64
}

/// A response without relevant contents.
struct RcloneNothing: Decodable, Sendable {}

/// The response to a failed request.
struct RcloneRefusal: Decodable, Sendable {
    var error: String
}
