package import RoundelBus

/// What survives a restart of the service.
package struct SavedState: Equatable, Sendable {
    /// A provider's part.
    package struct Provider: Equatable, Sendable {
        /// Whether the person lets it take part.
        package var enabled: Bool
        /// The folders that it had last.
        package var folders: [FolderOffer]
        /// The order in which all folders were registered, those included that it had when it unregistered.
        package var ranks: [ItemURI: UInt64]

        /// One provider.
        package init(enabled: Bool, folders: [FolderOffer], ranks: [ItemURI: UInt64] = [:]) {
            self.enabled = enabled
            self.folders = folders
            self.ranks = ranks
        }
    }

    /// Every provider that is known.
    package var providers: [ProviderID: Provider]
    /// What a person has consented to; nil: an earlier version did not ask.
    package var allowed: Set<FolderNesting>?

    /// A state.
    package init(providers: [ProviderID: Provider] = [:], allowed: Set<FolderNesting>? = []) {
        self.providers = providers
        self.allowed = allowed
    }
}
