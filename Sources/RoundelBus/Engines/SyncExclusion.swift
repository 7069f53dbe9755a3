/// Whether an item is synced, and why.
public struct SyncExclusion: Record {
    /// What an item is not synced for, or is synced in spite of.
    public enum Reason: String, CaseIterable, Sendable {
        /// A pattern excludes it, or takes back what another one excludes.
        case pattern
        /// It is the engine's own.
        case own
        /// It is a symbolic link.
        case link
        /// It is a device, socket or pipe.
        case special
    }

    /// The item's `file://` URI on this machine.
    public var uri: String
    /// Whether it is not synced.
    public var isExcluded = true
    /// Why; nil if nothing concerns it.
    public var reason: WireWord<Reason>?
    /// The pattern that decides; nil if none does.
    public var pattern: String?
    /// Whether every folder begins with this pattern.
    public var isBundled = false
    /// The directory, by its URI, that is excluded and in which the item is; nil if it is the item itself.
    public var directory: String?

    /// Creates a value of an item.
    public init(uri: String) { self.uri = uri }

    package static let blank = SyncExclusion(uri: "")

    package static let fields: [Field<SyncExclusion>] = [
        .item(\.uri), .init("excluded", .truth, \.isExcluded), .init(optional: "reason", .word(), \.reason),
        .init(optional: "pattern", .text, \.pattern), .init("bundled", .truth, \.isBundled, .sparse),
        .init(optional: "directory", .text, \.directory),
    ]
}
