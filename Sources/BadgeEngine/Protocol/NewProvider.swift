package import RoundelBus

/// A provider that was just installed: it is off until the user has said whether it may be on.
package struct NewProvider: Equatable, Sendable {
    /// The provider.
    package var provider: ProviderID
    /// Its name, as its manifest says it in the user's language.
    package var name: String
    /// What it does, likewise; empty if the manifest does not say.
    package var summary: String
    /// The app that it is, if it runs in a sandbox.
    package var app: SandboxedApp?

    /// A provider that waits for the user's answer.
    package init(provider: ProviderID, name: String, summary: String, app: SandboxedApp? = nil) {
        self.provider = provider
        self.name = name
        self.summary = summary
        self.app = app
    }

    /// The id of the notice that asks about it.
    package static let notice = "roundel-new"
    /// The id of the notice's action that turns it on.
    package static let turnOn = "turn-on"
    /// The id of the notice's action that leaves it off.
    package static let leaveOff = "not-now"
}
