/// What stands in the place of contents that are not here: the file has its size, its dates and no blocks, and this in
/// an extended attribute that nobody but the worker is shown.
package struct Placeholder: Hashable, Sendable {
    /// The size of the contents, in bytes. A file of another size was emptied since, and what it holds is all there is.
    package let size: UInt64
    /// Which version of the contents is meant; only the worker knows how to read it.
    package let version: [UInt8]

    /// The largest version, in bytes. What fits into an inode beside the name takes no block: 47 on ext4.
    package static let versionLimit = 255
    /// The attributes that begin so belong to the mounted folder: hidden, and refused to everybody.
    package static let attributePrefix = "user.roundel."
    /// The attribute that makes a file one without contents.
    package static let attribute = "user.roundel.online"
    /// The attribute that keeps the permissions while they are wider than its owner meant, because contents or marks of
    /// a file that is read-only are being changed.
    package static let modeAttribute = "user.roundel.mode"
    /// The attribute of a staged file that has given away some of its contents: it is of no use any more.
    package static let spentAttribute = "user.roundel.spent"

    /// Nil for a version that is too long.
    package init?(size: UInt64, version: [UInt8]) {
        guard version.count <= Self.versionLimit else { return nil }
        self.size = size
        self.version = version
    }
}
