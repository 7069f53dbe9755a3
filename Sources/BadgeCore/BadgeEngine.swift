/// Decides everything that the badge service does, from what it is told; does nothing itself.
public struct BadgeEngine: Sendable {
    /// An engine that knows nothing.
    public init() {}

    /// Takes one event in and gives what is to be done, in order.
    /// - Parameter now: the monotonic time in nanoseconds.
    public mutating func handle(_ event: Event, now: UInt64) -> [Action] {
        []
    }

    /// The property `Folders`: every registered folder as its provider spells it, in order.
    public var folders: [ItemURI] { [] }

    /// The property `Badges`: what providers gave, by identifier; the first provider by id wins.
    public var badgeImages: [BadgeImage] { [] }

    /// The property `ToolbarItem`.
    public var toolbarItem: ToolbarItem { .own }

    /// The property `FolderStatus`.
    public var folderStatus: [ItemURI: FolderStatus] { [:] }

    /// What is to survive a restart.
    public var savedState: SavedState { SavedState() }
}
