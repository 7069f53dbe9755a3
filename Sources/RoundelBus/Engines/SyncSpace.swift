/// How much space a folder takes, and how much is left on both sides.
public struct SyncSpace: Record {
    /// The files of the folder that are on this computer; nil if that is not known yet.
    public var files: UInt64?
    /// Their bytes.
    public var bytes: UInt64?
    /// The bytes that are free on this computer; nil if that is not told.
    public var free: UInt64?
    /// The bytes that may still be put on the remote; nil if that is not told.
    public var available: UInt64?

    /// Creates numbers of which none is known.
    public init() {}

    package static let blank = SyncSpace()

    package static let fields: [Field<SyncSpace>] = [
        .init(optional: "files", .count, \.files), .init(optional: "bytes", .count, \.bytes),
        .init(optional: "free", .count, \.free), .init(optional: "available", .count, \.available),
    ]
}
