/// An action that a person chose and that did not work, where the place of choosing does not show that.
package struct ActionFailure: Hashable, Sendable {
    /// The name of the provider, for people.
    package var provider: String
    /// What was chosen, as it was shown.
    package var label: String
    /// Why it failed, a sentence.
    package var message: String

    /// A failure.
    package init(provider: String, label: String, message: String) {
        self.provider = provider
        self.label = label
        self.message = message
    }
}
