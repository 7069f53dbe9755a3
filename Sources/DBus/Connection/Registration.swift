/// Something that lasts until it is cancelled: a subscription, an exported interface, a watch.
///
/// Letting go of it does not cancel it.
public final class Registration {
    private var onCancel: (() -> Void)?

    init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

    /// Whether it still lasts.
    public var isActive: Bool { onCancel != nil }

    /// Ends it; a second time does nothing.
    public func cancel() {
        let action = onCancel
        onCancel = nil
        action?()
    }
}
