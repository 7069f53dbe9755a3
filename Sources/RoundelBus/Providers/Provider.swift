public import DBus

/// A sync engine as Roundel uses it: the methods of `org.roundel.Provider1`.
///
/// All methods are called on the thread of the connection's loop and must not block. An answer may be given later, on
/// that thread, exactly once. ``ProviderLink`` does the rest: it registers the provider, again after a restart of the
/// service, and exports these methods on D-Bus. Methods that an engine does not support have default implementations.
public protocol Provider: AnyObject {
    /// A host started to show the directory or the first of its items below a registered folder.
    func beginObserving(_ directory: ItemURI)
    /// The last host that showed the directory has stopped; it can be forgotten.
    func endObserving(_ directory: ItemURI)
    /// The badges of `names`, in their order; the answer's names are ignored.
    func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void)
    /// The known items of the directory after `after`, sorted by decoded bytes, at most `limit`; `next` is set if more
    /// follow.
    func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void)
    /// The menu for a selection; an empty one for none.
    func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void)
    /// The user chose an item. Call `finished` when the action has ended, with what it made if it made something.
    func activate(
        _ item: String, _ request: MenuRequest, finished: @escaping (Result<ActionProduct?, RoundelError>) -> Void)
    /// Attributes of an item; all of them if `keys` is empty.
    func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void)
    /// Something changed below a watched folder. Call `accepted` when the change has been recorded.
    func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void)
    /// The service accepted the registration, or refused it or a part of it with a reason; nil if the service ended.
    /// Changes made while it was not running were not reported: scan watched folders again, after
    /// ``ProviderLink/flush(_:_:)``.
    func registrationChanged(_ result: Result<Void, DBusError>?)
}

/// The context of a menu or of one of its actions.
public struct MenuRequest: Equatable, Sendable {
    /// Where the menu opened; nil for an action, which does not depend on it.
    public var kind: MenuKind?
    /// The folder or item that the menu opened on; nil for the toolbar outside all folders.
    public var target: ItemURI?
    /// The selected items that belong to this provider.
    public var selection: [ItemURI]
    /// The options of the activation.
    public var options = ActivationOptions()

    /// Creates a request.
    public init(kind: MenuKind?, target: ItemURI?, selection: [ItemURI], options: ActivationOptions = .init()) {
        self.kind = kind
        self.target = target
        self.selection = selection
        self.options = options
    }
}

extension Provider {
    /// Does nothing.
    public func beginObserving(_ directory: ItemURI) {}
    /// Does nothing.
    public func endObserving(_ directory: ItemURI) {}
    /// Returns no items.
    public func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
    ) {
        answer(BadgeColumns(), nil)
    }
    /// Returns no menu.
    public func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void) { answer([]) }
    /// Fails, because there are no actions.
    public func activate(
        _ item: String, _ request: MenuRequest, finished: @escaping (Result<ActionProduct?, RoundelError>) -> Void
    ) {
        finished(.failure(RoundelError(.unknownItem, "There is no action “\(item)”.")))
    }
    /// Returns no attributes.
    public func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void) {
        answer([:])
    }
    /// Accepts the changes and does nothing.
    public func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void) { accepted() }
    /// Does nothing.
    public func registrationChanged(_ result: Result<Void, DBusError>?) {}
}
