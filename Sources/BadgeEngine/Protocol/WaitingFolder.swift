package import RoundelBus

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
