/// A version of a file that its server keeps beside the current one.
public struct SyncServerVersion: Record {
    /// Identifies it among the versions of the file.
    public var id: String
    /// When it was written, in microseconds since 1970 in UTC.
    public var time: Int64
    /// The size in bytes; nil if unknown.
    public var size: UInt64?
    /// The account that wrote it; nil if the server does not tell.
    public var author: String?

    /// Creates a version with the values that every version has.
    public init(id: String, time: Int64) { (self.id, self.time) = (id, time) }

    package static let blank = SyncServerVersion(id: "", time: 0)

    package static let fields: [Field<SyncServerVersion>] = [
        .init("id", .text, \.id, .needed), .init("time", .time, \.time), .init(optional: "size", .count, \.size),
        .init(optional: "author", .text, \.author),
    ]
}
