/// The name of a property or element: a namespace and a name in it.
package struct PropertyName: Hashable, Sendable {
    /// The namespace, as its whole identifier.
    package let namespace: String
    /// The name in it.
    package let name: String

    /// A name of WebDAV's own namespace.
    package static func dav(_ name: String) -> PropertyName { PropertyName(namespace: "DAV:", name: name) }
    /// A name of the namespace that ownCloud and Nextcloud share.
    package static func owncloud(_ name: String) -> PropertyName {
        PropertyName(namespace: "http://owncloud.org/ns", name: name)
    }

    /// Whether an item is a collection.
    package static let resourceType = dav("resourcetype")
    /// The entity tag.
    package static let entityTag = dav("getetag")
    /// The length in bytes.
    package static let length = dav("getcontentlength")
    /// When it was changed last.
    package static let modified = dav("getlastmodified")
    /// What an item is known by for as long as it is there, whatever its name.
    package static let lastingID = owncloud("id")
    /// Changes when a server was restored from a backup.
    package static let dataFingerprint = owncloud("data-fingerprint")
    /// What is known of a file's contents, by several algorithms.
    package static let checksums = owncloud("checksums")
    /// What a server's own pages know an item by, in digits.
    package static let fileNumber = owncloud("fileid")
    /// Bytes that may still be written below a collection.
    package static let available = dav("quota-available-bytes")
}
