/// The changed properties of the Host interface.
package struct ChangedProperties: OptionSet, Hashable, Sendable {
    /// One bit for each property.
    package let rawValue: UInt16

    /// Creates a set from these bits.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// `Folders`.
    package static let folders = ChangedProperties(rawValue: 1)
    /// `Badges`.
    package static let badges = ChangedProperties(rawValue: 2)
    /// `ToolbarItem`.
    package static let toolbarItem = ChangedProperties(rawValue: 4)
    /// `FolderStatus`.
    package static let folderStatus = ChangedProperties(rawValue: 8)
    /// The notices of folders, which only hosts inside the service get and which are not a property on the bus.
    package static let notices = ChangedProperties(rawValue: 16)
    /// The folders that wait for consent, which are not a property on the bus either.
    package static let consents = ChangedProperties(rawValue: 32)
    /// The providers that wait for the user's answer, which are not a property on the bus either.
    package static let newProviders = ChangedProperties(rawValue: 64)
    /// `AddsFolders`.
    package static let addsFolders = ChangedProperties(rawValue: 256)
}
