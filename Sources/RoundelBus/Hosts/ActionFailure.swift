/// A failed action of the user whose failure is not shown where it was chosen.
package struct ActionFailure: Hashable, Sendable {
    /// The display name of the provider.
    package var provider: String
    /// The label of the chosen item.
    package var label: String
    /// A sentence with the reason.
    package var message: String

    /// Creates a failure.
    package init(provider: String, label: String, message: String) {
        self.provider = provider
        self.label = label
        self.message = message
    }
}
