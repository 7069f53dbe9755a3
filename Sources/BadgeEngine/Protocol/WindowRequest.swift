package import RoundelBus

/// What a menu's entry of the service's own has Roundel's window show.
package struct WindowRequest: Equatable, Sendable {
    /// Who chose it, and from which menu.
    package let client: String
    package let menu: UInt64
    package let item: String
    package let view: WindowView
    /// What of it, as ``WindowView`` says.
    package let subject: String
    package let options: ActivationOptions
}
