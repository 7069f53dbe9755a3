/// Which properties of the Host interface have changed.
package struct ChangedProperties: OptionSet, Hashable, Sendable {
    /// One bit for each property.
    package let rawValue: UInt8

    /// Takes the bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The set of folders.
    package static let folders = ChangedProperties(rawValue: 1)
    /// `Badges`.
    package static let badges = ChangedProperties(rawValue: 2)
    /// `ToolbarItem`.
    package static let toolbarItem = ChangedProperties(rawValue: 4)
    /// `FolderStatus`.
    package static let folderStatus = ChangedProperties(rawValue: 8)
    /// The notices of folders, which are for the hosts inside the service alone and are no property on the bus.
    package static let notices = ChangedProperties(rawValue: 16)
    /// The folders that wait for consent, which are no property on the bus either.
    package static let consents = ChangedProperties(rawValue: 32)
}
