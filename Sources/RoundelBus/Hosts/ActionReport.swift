/// What is to be said of an action of the user, which is not said where it was chosen.
package struct ActionReport: Hashable, Sendable {
    /// The display name of the provider.
    package var provider: String
    /// The label of the chosen item.
    package var label: String
    /// A sentence with the reason why it failed, or what the user asked to know.
    package var message: String
    /// Whether the action failed.
    package var hasFailed: Bool

    /// Creates a report.
    package init(provider: String, label: String, message: String, hasFailed: Bool = true) {
        self.provider = provider
        self.label = label
        self.message = message
        self.hasFailed = hasFailed
    }
}
