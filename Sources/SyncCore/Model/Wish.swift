/// Where the user wants the contents of an item to be; of a directory, the contents of everything in it that has no
/// wish of its own.
///
/// Wishes are kept apart from the trees, as exclude patterns are. They count in a folder on demand only: in all others
/// everything is wanted here.
package enum Wish: UInt8, Hashable, Sendable, CaseIterable {
    /// Anywhere: contents stay where they are, and new files of the remote get placeholders.
    case none = 0
    /// Always here: pinned.
    case alwaysHere = 1
    /// At the remote alone, as soon as nothing but the synced version is here.
    case remoteAlone = 2
}
