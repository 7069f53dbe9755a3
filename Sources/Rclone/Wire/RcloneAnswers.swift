/// What rclone says of an item (`operations/list`, `operations/stat`).
struct RcloneItem: Decodable, Sendable {
    /// Below the directory that was asked about.
    var path: String
    var name: String
    /// Bytes; less than 0 where they are not known.
    var size: Int64
    /// As RFC 3339 has it; some backends tell none for directories.
    var modified: String?
    var isDirectory: Bool
    /// What the service behind it knows the item by.
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
    /// Nanoseconds between two times that it can tell apart.
    var precision: Int64

    private enum CodingKeys: String, CodingKey {
        case features = "Features"
        case hashes = "Hashes"
        case precision = "Precision"
    }
}

/// The names of all remotes that are configured.
struct RcloneNames: Decodable, Sendable {
    var remotes: [String]
}

/// How far a transfer has come.
struct RcloneStatistics: Decodable, Sendable {
    var bytes: Int64
}

/// An answer in which nothing is of interest.
struct RcloneNothing: Decodable, Sendable {}

/// What is said of a request that failed.
struct RcloneRefusal: Decodable, Sendable {
    var error: String
}
