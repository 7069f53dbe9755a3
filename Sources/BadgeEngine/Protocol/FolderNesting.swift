package import RoundelBus

/// A folder of one provider inside a folder of another one, which requires the user's consent.
package struct FolderNesting: Hashable, Sendable {
    /// A folder in its provider's spelling.
    package struct Folder: Hashable, Sendable {
        /// The provider.
        package var provider: ProviderID
        /// The folder.
        package var folder: ItemURI

        /// A provider's folder.
        package init(provider: ProviderID, folder: ItemURI) {
            self.provider = provider
            self.folder = folder
        }
    }

    /// The folder that contains the other one.
    package var outer: Folder
    /// The folder inside the other one.
    package var inner: Folder

    /// Two folders of different providers.
    package init(outer: Folder, inner: Folder) {
        self.outer = outer
        self.inner = inner
    }

    /// Whether these consents are within the limits.
    package static func areWithinLimits(_ nestings: some Collection<FolderNesting>) -> Bool {
        nestings.count <= Limits.consents
            && nestings.reduce(0) { $0 + $1.outer.folder.path.utf8.count + $1.inner.folder.path.utf8.count }
                <= Limits.consentText
    }
}
