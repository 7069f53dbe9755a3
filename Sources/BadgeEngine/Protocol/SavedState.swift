package import RoundelBus

/// What survives a restart of the service.
package struct SavedState: Equatable, Sendable {
    /// A provider's part.
    package struct Provider: Equatable, Sendable {
        /// Whether the person lets it take part.
        package var enabled: Bool
        /// The folders that it had last.
        package var folders: [FolderOffer]

        /// One provider.
        package init(enabled: Bool, folders: [FolderOffer]) {
            self.enabled = enabled
            self.folders = folders
        }
    }

    /// Every provider that is known.
    package var providers: [ProviderID: Provider]

    /// A state.
    package init(providers: [ProviderID: Provider] = [:]) {
        self.providers = providers
    }
}
