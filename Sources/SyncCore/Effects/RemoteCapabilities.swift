/// What a remote can do; probed when a folder is registered.
public struct RemoteCapabilities: Hashable, Sendable {
    /// A write or deletion can be refused unless the expected revision is still there.
    public var hasConditionalWrites: Bool
    /// A file can be replaced so that every reader sees the old or the new contents, whole.
    public var hasAtomicReplace: Bool
    /// An item keeps its `identity` when it is renamed or moved.
    public var hasStableIDs: Bool
    /// An item can be renamed and moved without being transferred.
    public var hasMove: Bool
    /// The remote tells what changed; otherwise it is listed again on a schedule.
    public var hasChangeNotification: Bool

    /// Capabilities; the defaults are those of a local directory.
    public init(
        hasConditionalWrites: Bool = true, hasAtomicReplace: Bool = true, hasStableIDs: Bool = true,
        hasMove: Bool = true, hasChangeNotification: Bool = true
    ) {
        self.hasConditionalWrites = hasConditionalWrites
        self.hasAtomicReplace = hasAtomicReplace
        self.hasStableIDs = hasStableIDs
        self.hasMove = hasMove
        self.hasChangeNotification = hasChangeNotification
    }
}
