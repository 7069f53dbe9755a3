/// Where the contents of an item are that may be away: of a file its own, of a directory those of everything in it.
package struct ItemContents: Hashable, Sendable {
    /// Where they are as a whole.
    package enum Place: Hashable, Sendable {
        /// All on this computer, also if there are none.
        case here
        /// Some on this computer.
        case partly
        /// All at the remote alone.
        case away
    }

    /// Files whose contents are on this computer.
    package var filesHere: Int
    /// Files whose contents are not.
    package var filesAway: Int
    /// The bytes that freeing everything would give back.
    package var bytesHere: Int64
    /// The bytes that fetching everything would take.
    package var bytesAway: Int64
    /// What is wanted of them lastingly: the item's own wish, or that of the nearest directory that has one.
    package var wish: Wish

    /// Where they are as a whole.
    package var place: Place { filesAway == 0 ? .here : filesHere == 0 ? .away : .partly }
    /// Whether they are always kept on this computer.
    package var isPinned: Bool { wish == .alwaysHere }

    init(_ counts: StateCounts, _ wish: Wish) {
        (filesHere, filesAway) = (counts.filesHere, counts.filesAway)
        (bytesHere, bytesAway) = (counts.bytesHere, counts.bytesAway)
        self.wish = wish
    }
}
