package import RoundelBus

/// Where a directory is that a host named.
package struct FoundDirectory: Equatable, Sendable {
    /// How else it can be named, without symbolic links, on this mount of its file system first; none where no directory
    /// is, or none that answers.
    package var places: [ItemURI]
    /// The symbolic links on the way to it.
    package var links: [PlaceLink]

    /// What was found; by default nothing.
    package init(places: [ItemURI] = [], links: [PlaceLink] = []) {
        self.places = places
        self.links = links
    }
}

/// A symbolic link on the way to a directory.
package struct PlaceLink: Equatable, Sendable {
    /// Where the link is; its own ancestors are resolved.
    package var link: ItemURI
    /// The directory that it leads to, without symbolic links.
    package var target: ItemURI

    /// A link and where it leads.
    package init(link: ItemURI, target: ItemURI) {
        self.link = link
        self.target = target
    }
}
