/// The name of a property or element: a namespace and a name in it.
package struct PropertyName: Hashable, Sendable {
    /// The complete identifier of the namespace.
    package let namespace: String
    /// The name in it.
    package let name: String

    /// A name of WebDAV's own namespace.
    package static func dav(_ name: String) -> PropertyName { PropertyName(namespace: "DAV:", name: name) }
    /// A name of the namespace that ownCloud and Nextcloud share.
    package static func owncloud(_ name: String) -> PropertyName {
        PropertyName(namespace: "http://owncloud.org/ns", name: name)
    }

    /// A name of Nextcloud's own namespace.
    package static func nextcloud(_ name: String) -> PropertyName {
        PropertyName(namespace: "http://nextcloud.org/ns", name: name)
    }

    /// Whether an item is a collection.
    package static let resourceType = dav("resourcetype")
    /// The entity tag.
    package static let entityTag = dav("getetag")
    /// The length in bytes.
    package static let length = dav("getcontentlength")
    /// The modification time.
    package static let modified = dav("getlastmodified")
    /// Identifies an item as long as it exists, independent of its name.
    package static let lastingID = owncloud("id")
    /// Changes when a server was restored from a backup.
    package static let dataFingerprint = owncloud("data-fingerprint")
    /// Checksums of a file's contents, by several algorithms.
    package static let checksums = owncloud("checksums")
    /// The number of an item in the server's own pages.
    package static let fileNumber = owncloud("fileid")
    /// Letters that say what the user may do with an item, and whether it is from somebody else or from another storage.
    package static let permissions = owncloud("permissions")
    /// The kinds of the user's shares of an item.
    package static let shareTypes = owncloud("share-types")
    /// The owner of an item, as people call them.
    package static let ownerName = owncloud("owner-display-name")
    /// Whether an item is locked, by the app that lets people do that.
    package static let lock = nextcloud("lock")
    /// The account that has locked an item.
    package static let lockOwner = nextcloud("lock-owner")
    /// Who has locked an item, as people call them.
    package static let lockOwnerName = nextcloud("lock-owner-displayname")
    /// The kind of a lock: 0 for one that a person set.
    package static let lockOwnerKind = nextcloud("lock-owner-type")
    /// The account that wrote a version of a file.
    package static let versionAuthor = nextcloud("version-author")
    /// The kind of the other storage that is mounted at an item.
    package static let mountType = nextcloud("mount-type")
    /// How many more bytes may be written below a collection.
    package static let available = dav("quota-available-bytes")
    /// The bytes of everything in a collection.
    package static let size = owncloud("size")
    /// The same, as other servers tell it.
    package static let used = dav("quota-used-bytes")
    /// How many collections are in a collection.
    package static let directoryCount = nextcloud("contained-folder-count")
}
