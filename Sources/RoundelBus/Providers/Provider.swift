public import DBus

/// A sync engine as Roundel sees it: what `org.roundel.Provider1` asks of it.
///
/// All methods are called on the thread of the connection's loop and must not block; an answer may be given later, on
/// that thread, exactly once. ``ProviderLink`` does the rest: it registers, again after a restart of the service, and
/// turns these methods into the D-Bus interface. What an engine does not have is left to the defaults.
public protocol Provider: AnyObject {
    /// A host began to show the directory or its first item below a registered folder.
    func beginObserving(_ directory: ItemURI)
    /// The last host that showed the directory has stopped; forget about it.
    func endObserving(_ directory: ItemURI)
    /// The badges of `names`, in their order; the answer's names are ignored.
    func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void)
    /// The known items of the directory after `after`, ordered by decoded bytes, at most `limit`; `next` where more
    /// follow.
    func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void)
    /// The menu for a selection; an empty one for none.
    func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void)
    /// A person chose an item; answer when the action has ended, with a text for the clipboard where it makes one.
    func activate(
        _ item: String, _ request: MenuRequest, finished: @escaping (Result<ClipboardText?, RoundelError>) -> Void)
    /// Attributes of an item; all of them where `keys` is empty.
    func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void)
    /// Something changed below a watched folder; answer when the change has been taken over.
    func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void)
    /// The service accepted the registration, or refused it or a part of it with a reason; nil: the service is gone.
    /// What changed while it was gone was not reported: look at watched folders again, after
    /// ``ProviderLink/flush(_:_:)``.
    func registrationChanged(_ result: Result<Void, DBusError>?)
}

/// What a menu or one of its actions is for.
public struct MenuRequest: Equatable, Sendable {
    /// Where the menu opened; nil in an action, where it does not matter any more.
    public var kind: MenuKind?
    /// The folder or item that the menu opened on; nil for the toolbar outside all folders.
    public var target: ItemURI?
    /// The selected items that are this provider's.
    public var selection: [ItemURI]
    /// What came with the activation.
    public var options = ActivationOptions()

    /// A request.
    public init(kind: MenuKind?, target: ItemURI?, selection: [ItemURI], options: ActivationOptions = .init()) {
        self.kind = kind
        self.target = target
        self.selection = selection
        self.options = options
    }
}

extension Provider {
    /// Nothing to do.
    public func beginObserving(_ directory: ItemURI) {}
    /// Nothing to do.
    public func endObserving(_ directory: ItemURI) {}
    /// No items.
    public func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
    ) {
        answer(BadgeColumns(), nil)
    }
    /// No menu.
    public func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void) { answer([]) }
    /// No actions.
    public func activate(
        _ item: String, _ request: MenuRequest, finished: @escaping (Result<ClipboardText?, RoundelError>) -> Void
    ) {
        finished(.failure(RoundelError(.unknownItem, "There is no action “\(item)”.")))
    }
    /// No attributes.
    public func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void) {
        answer([:])
    }
    /// Nothing to do.
    public func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void) { accepted() }
    /// Nothing to do.
    public func registrationChanged(_ result: Result<Void, DBusError>?) {}
}
