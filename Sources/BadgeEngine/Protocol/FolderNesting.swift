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

/// A provider's folder that shows nothing before the user consents, because it is above or below another provider's.
package struct WaitingFolder: Equatable, Sendable {
    /// The provider of the folder.
    package var provider: ProviderID
    /// The name of that provider.
    package var name: String
    /// The folder, in the provider's spelling.
    package var folder: ItemURI
    /// The other provider's folder; the first if there are several.
    package var other: FolderNesting.Folder
    /// The name of the other provider.
    package var otherName: String
    /// Whether the folder is inside the other one, not the other way round.
    package var isInside: Bool

    /// A folder that waits, and the one that it waits for.
    package init(
        provider: ProviderID, name: String, folder: ItemURI, other: FolderNesting.Folder, otherName: String,
        isInside: Bool
    ) {
        self.provider = provider
        self.name = name
        self.folder = folder
        self.other = other
        self.otherName = otherName
        self.isInside = isInside
    }

    /// The id of the service's notice that asks the user for consent.
    package static let notice = "roundel-consent"
    /// The id of the notice's action that gives the consent.
    package static let allow = "allow"
}
