package import RoundelBus

/// A folder of one provider that lies in a folder of another one: what a person consents to.
package struct FolderNesting: Hashable, Sendable {
    /// A folder as its provider spells it.
    package struct Folder: Hashable, Sendable {
        /// Whose it is.
        package var provider: ProviderID
        /// Where it is.
        package var folder: ItemURI

        /// A provider's folder.
        package init(provider: ProviderID, folder: ItemURI) {
            self.provider = provider
            self.folder = folder
        }
    }

    /// The folder that contains the other one.
    package var outer: Folder
    /// The folder that lies in the other one.
    package var inner: Folder

    /// The two folders belong to different providers.
    package init(outer: Folder, inner: Folder) {
        self.outer = outer
        self.inner = inner
    }

    /// Whether so much can be kept of what a person consented to.
    package static func areWithinLimits(_ nestings: some Collection<FolderNesting>) -> Bool {
        nestings.count <= Limits.consents
            && nestings.reduce(0) { $0 + $1.outer.folder.path.utf8.count + $1.inner.folder.path.utf8.count }
                <= Limits.consentText
    }
}

/// A provider's folder that shows nothing before a person consents, because it lies above or below another provider's.
package struct WaitingFolder: Equatable, Sendable {
    /// The provider that wants it.
    package var provider: ProviderID
    /// What that provider is called.
    package var name: String
    /// The folder, as the provider spells it.
    package var folder: ItemURI
    /// The other provider's folder; the first where there are several.
    package var other: FolderNesting.Folder
    /// What the other provider is called.
    package var otherName: String
    /// Whether the folder lies in the other one, and not the other way round.
    package var isInside: Bool

    /// What waits, and for what.
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

    /// The id of the notice with which the service asks the person.
    package static let notice = "roundel-consent"
    /// The id of the action of this notice that consents.
    package static let allow = "allow"
}
