/// What adding a folder would do, in numbers.
public struct SyncPreview: Record {
    /// The files on this computer.
    public var filesHere: UInt64 = 0
    /// Their bytes.
    public var bytesHere: UInt64 = 0
    /// The files on the remote.
    public var filesThere: UInt64 = 0
    /// Their bytes.
    public var bytesThere: UInt64 = 0
    /// How many files have the same name on both sides.
    public var same: UInt64 = 0
    /// How many of these have different sizes, or are a directory on one side.
    public var different: UInt64 = 0
    /// How many files would be downloaded.
    public var downloads: UInt64 = 0
    /// Their bytes.
    public var downloadBytes: UInt64 = 0
    /// How many files would be uploaded.
    public var uploads: UInt64 = 0
    /// Their bytes.
    public var uploadBytes: UInt64 = 0
    /// The files and directories on this computer that would not be synced.
    public var leftHere: UInt64 = 0
    /// Those on the remote.
    public var leftThere: UInt64 = 0
    /// The bytes that are free on this computer; nil if that is not told.
    public var free: UInt64?
    /// The bytes that may still be put on the remote; nil if that is not told.
    public var available: UInt64?
    /// Whether counting was stopped, so that there are more.
    public var isPartial = false

    /// Creates numbers of nothing.
    public init() {}

    package static let blank = SyncPreview()

    package static let fields: [Field<SyncPreview>] = [
        .init("files-here", .count, \.filesHere), .init("bytes-here", .count, \.bytesHere),
        .init("files-there", .count, \.filesThere), .init("bytes-there", .count, \.bytesThere),
        .init("same", .count, \.same), .init("different", .count, \.different),
        .init("downloads", .count, \.downloads), .init("download-bytes", .count, \.downloadBytes),
        .init("uploads", .count, \.uploads), .init("upload-bytes", .count, \.uploadBytes),
        .init("left-here", .count, \.leftHere), .init("left-there", .count, \.leftThere),
        .init(optional: "free", .count, \.free), .init(optional: "available", .count, \.available),
        .init("partial", .truth, \.isPartial, .sparse),
    ]
}
