/// What comes with the activation of a menu item, handed on to the provider but for `showsResult`.
public struct ActivationOptions: Equatable, Sendable {
    /// A token of xdg-activation, so that windows may take the focus.
    public var activationToken: String?
    /// The time of the event that caused it, X11.
    public var timestamp: UInt32?
    /// The window to which dialogs belong, as portals name it.
    public var parentWindow: String?
    /// Whether the host shows the person how the action ended. If not, the service notifies the person of a failure. Not
    /// handed on to the provider.
    public var showsResult: Bool

    /// Options.
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
