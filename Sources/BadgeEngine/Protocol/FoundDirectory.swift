package import RoundelBus

/// The place of a directory that a host named.
package struct FoundDirectory: Equatable, Sendable {
    /// Other names for it, without symbolic links, on this mount of its file system first; empty if it is not a
    /// directory or its file system does not respond.
    package var places: [ItemURI]
    /// The symbolic links on the path to it.
    package var links: [PlaceLink]

    /// The results; empty by default.
    package init(places: [ItemURI] = [], links: [PlaceLink] = []) {
        self.places = places
        self.links = links
    }
}

/// A symbolic link on the path to a directory.
package struct PlaceLink: Equatable, Sendable {
    /// The path of the link; its ancestors are resolved.
    package var link: ItemURI
    /// The directory that it points to, without symbolic links.
    package var target: ItemURI

    /// A link and its target.
    package init(link: ItemURI, target: ItemURI) {
        self.link = link
        self.target = target
    }
}
