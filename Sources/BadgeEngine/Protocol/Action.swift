package import RoundelBus
package import Support

/// What the engine wants done.
package enum Action: Equatable, Sendable {
    /// Answer a call.
    case reply(CallToken, Reply)
    /// Refuse a call.
    case fail(CallToken, Refusal)
    /// Send BadgesChanged to one client, with the directory as it spelled it.
    case signalBadges(client: String, directory: ItemURI, BadgeColumns)
    /// Send ActionFinished to one client.
    case signalActionFinished(client: String, FinishedAction)
    /// Notify the person that an action failed; the client where it was chosen does not.
    case showFailure(ActionFailure)
    /// Send Reset to one client.
    case signalReset(client: String)
    /// Call a provider without expecting a reply.
    case notify(ProviderEndpoint, ProviderNotice)
    /// Call a provider; its reply comes back as ``Event/answer(_:_:)`` with the same token. No time-out of its own.
    case ask(RequestToken, ProviderEndpoint, ProviderRequest)
    /// Watch one observed directory for items that vanish; as its provider spells it.
    case watchDirectory(ItemURI)
    /// No host observes the directory any more.
    case unwatchDirectory(ItemURI)
    /// Follow a symbolic link on the way to an observed directory: ``Event/linkChanged(_:)`` with the link says when it
    /// leads no longer there.
    case followLink(PlaceLink)
    /// No host observes a directory by way of the link any more.
    case unfollowLink(ItemURI)
    /// All registered folders to watch; replaces the former set.
    case setWatchedFolders([WatchedFolder])
    /// Feed ``Event/itemsChanged(_:)`` with `overflow` for this folder as soon as it is watched.
    case reportWhenWatched(ItemURI)
    /// Resolve the ancestors of folders and see what they are, then send ``Event/foldersChecked(_:_:)``.
    case checkFolders(CallToken, [ItemURI])
    /// Hand over every change up to now below a folder, then send ``Event/flushed(_:)``.
    case flushWatcher(CallToken, ItemURI)
    /// See which of these items are directories, without following symlinks, then send
    /// ``Event/itemsInspected(_:_:)``.
    case inspectItems(RequestToken, [ItemURI])
    /// Find where these directories are, with every symbolic link followed and on each mount of their file systems, then
    /// send ``Event/placesFound(_:_:)``.
    case findPlaces(RequestToken, [ItemURI])
    /// Properties of the Host interface changed; their values stand in ``Engine``.
    case propertiesChanged(ChangedProperties)
    /// Send Changed of the Providers interface.
    case providersChanged
    /// Write ``Engine/savedState``.
    case persist
    /// Start a provider by its bus name, soon and with back-off.
    case activateProvider(ProviderID, busName: String)
    /// Forget the back-off of a provider: it has registered, or must not be started.
    case providerSettled(ProviderID)
    /// Show the settings of a provider and answer the call.
    case openSettings(CallToken, ProviderID)
    /// Wake up with ``Event/timer`` at this time; nil: not at all.
    case setTimer(Instant?)
    /// Log that a provider misbehaved.
    case warn(String)
}

/// The answers to calls.
package enum Reply: Equatable, Sendable {
    /// Nothing to return.
    case done
    /// Of BeginObserving.
    case monitored(Bool)
    /// Of RequestBadges; the column of names is empty.
    case badges(BadgeColumns)
    /// Of RequestDirectory; `next` is nil at the end.
    case directory(BadgeColumns, next: ItemName?)
    /// Of GetMenu.
    case menu(UInt64, [MenuItem])
    /// Of GetAttributes.
    case attributes([String: AttributeValue])
    /// Of GetItemService.
    case service(busName: String, object: String)
    /// Of UpdateBadges.
    case observed(Bool)
    /// Of List.
    case providers([ProviderSummary])
    /// Of SetFolders, where some of the folders wait for a person's consent.
    case registered(waiting: [ItemURI])
}

/// A provider that is connected.
package struct ProviderEndpoint: Hashable, Sendable {
    /// The unique name of its connection.
    package var connection: String
    /// The path of the object that it registered.
    package var object: String

    /// Where calls of `org.roundel.Provider1` go.
    package init(connection: String, object: String) {
        self.connection = connection
        self.object = object
    }
}

/// The calls of a provider that expect no reply.
package enum ProviderNotice: Equatable, Sendable {
    case beginObserving(ItemURI)
    case endObserving(ItemURI)
}

/// The calls of a provider that expect a reply.
package enum ProviderRequest: Equatable, Sendable {
    case requestBadges(ItemURI, [ItemName])
    /// `after` is nil to start.
    case requestDirectory(ItemURI, after: ItemName?, limit: UInt32)
    case getMenu(kind: MenuKind, target: ItemURI?, selection: [ItemURI])
    /// `item` is the provider's own id.
    case activate(item: String, target: ItemURI?, selection: [ItemURI], ActivationOptions)
    case getAttributes(ItemURI, keys: [String])
    case itemsChanged(FolderChanges)
}
