package import RoundelBus

/// An installed manifest.
package struct Manifest: Equatable, Sendable {
    /// What a provider is before the user has said anything about it.
    package enum Beginning: Hashable, Sendable {
        /// It is on: the user installed Roundel for it.
        case on
        /// It is off, and nobody is asked: the user turns it on where it is wanted.
        case off
        /// It is new: it is off until the user has answered whether it may be on.
        case asks
    }

    /// From the file name.
    package var id: ProviderID
    /// The display name, in the user's language.
    package var name: String
    /// What it does, in the user's language; empty if it does not say.
    package var summary: String
    /// The name of an icon.
    package var icon: String
    /// The well-known name that starts the provider and proves its identity.
    package var busName: String
    /// The unique name that owns ``busName`` now; nil if none. Kept current by ``Event/manifests(_:)``.
    package var owner: String?
    /// The selections to which all menus of the provider apply; nil for all.
    package var rules: MenuRules?
    /// The interfaces that the provider offers for ``Reply/service``, with their objects.
    package var services: [String: String]
    /// What the provider is before the user has said anything about it.
    package var beginning: Beginning

    /// A manifest as it was read.
    package init(
        id: ProviderID, name: String, summary: String = "", icon: String, busName: String, owner: String? = nil,
        rules: MenuRules? = nil, services: [String: String] = [:], beginning: Beginning = .on
    ) {
        self.id = id
        self.name = name
        self.summary = summary
        self.icon = icon
        self.busName = busName
        self.owner = owner
        self.rules = rules
        self.services = services
        self.beginning = beginning
    }

    /// Whether the provider is on before the user has said anything about it.
    package var startsEnabled: Bool { beginning == .on }
}
