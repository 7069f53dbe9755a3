package import SyncCore

/// A directory that is to be removed from a server with everything in it, and is moved aside for that.
package struct AsideRecord: Hashable, Sendable {
    /// Its name among the other side's staged files.
    package var place: EntryName
    /// Where it was.
    package var path: RelativePath
    /// Its lasting ID.
    package var identity: Token
    /// Its tag as long as nothing in it changes.
    package var tag: Token

    /// A directory that is about to be moved.
    package init(place: EntryName, path: RelativePath, identity: Token, tag: Token) {
        self.place = place
        self.path = path
        self.identity = identity
        self.tag = tag
    }
}
