package import RoundelBus

/// The state that survives a restart of the service.
package struct SavedState: Equatable, Sendable {
    /// A provider's part.
    package struct Provider: Equatable, Sendable {
        /// Whether the user has enabled or disabled it; nil if neither.
        package var enabled: Bool?
        /// Its last folders.
        package var folders: [FolderOffer]
        /// The order in which all folders were registered, including those that it had when it unregistered.
        package var ranks: [ItemURI: UInt64]
        /// The app in a sandbox that its id belongs to; nil for none.
        package var app: SandboxedApp?

        /// One provider.
        package init(
            enabled: Bool?, folders: [FolderOffer], ranks: [ItemURI: UInt64] = [:], app: SandboxedApp? = nil
        ) {
            self.enabled = enabled
            self.folders = folders
            self.ranks = ranks
            self.app = app
        }
    }

    /// All known providers.
    package var providers: [ProviderID: Provider]
    /// The nestings that the user has consented to; nil if an earlier version, which did not ask, saved the state.
    package var allowed: Set<FolderNesting>?
    /// Whether the user was asked about new providers; false if an earlier version, which did not ask, saved the state.
    package var hasAsked: Bool

    /// A state.
    package init(
        providers: [ProviderID: Provider] = [:], allowed: Set<FolderNesting>? = [], hasAsked: Bool = true
    ) {
        self.providers = providers
        self.allowed = allowed
        self.hasAsked = hasAsked
    }
}
