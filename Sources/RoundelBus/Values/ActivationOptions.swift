/// The options of an activated menu item, which are passed to the provider except for `showsResult`.
public struct ActivationOptions: Equatable, Sendable {
    /// A token of xdg-activation, with which windows may take the focus.
    public var activationToken: String?
    /// The time of the X11 event that caused it.
    public var timestamp: UInt32?
    /// The parent window of dialogs, identified as in portals.
    public var parentWindow: String?
    /// Whether the host shows the result of the action. If not, the service notifies the user of a failure. Not passed
    /// to the provider.
    public var showsResult: Bool

    /// Creates options.
    public init(
        activationToken: String? = nil, timestamp: UInt32? = nil, parentWindow: String? = nil,
        showsResult: Bool = false
    ) {
        self.activationToken = activationToken
        self.timestamp = timestamp
        self.parentWindow = parentWindow
        self.showsResult = showsResult
    }
}
