package import RoundelBus
package import Support

/// An action that the engine requests.
package enum Action: Equatable, Sendable {
    /// Answer a call.
    case reply(CallToken, Reply)
    /// Refuse a call.
    case fail(CallToken, Refusal)
    /// Send BadgesChanged to one client, with the directory in its spelling.
    case signalBadges(client: String, directory: ItemURI, BadgeColumns)
    /// Send MenuChanged to one client.
    case signalMenu(client: String, HostedMenu)
    /// Send ActionFinished to one client.
    case signalActionFinished(client: String, FinishedAction)
    /// Show the user that an action failed, or what it answers, because the client where it was chosen does not.
    case showReport(ActionReport)
    /// Send Reset to one client.
    case signalReset(client: String)
    /// Call a provider without expecting a reply.
    case notify(ProviderEndpoint, ProviderNotice)
    /// Call a provider; its reply is returned as ``Event/answer(_:_:)`` with the same token. Has no timeout of its own.
    case ask(RequestToken, ProviderEndpoint, ProviderRequest)
    /// Watch one observed directory, in its provider's spelling, for items that vanish.
    case watchDirectory(ItemURI)
    /// Stop watching a directory that no host observes any more.
    case unwatchDirectory(ItemURI)
    /// Watch a symbolic link on the path to an observed directory: ``Event/linkChanged(_:)`` reports when its target
    /// changes.
    case followLink(PlaceLink)
    /// Stop watching a link that no host uses any more.
    case unfollowLink(ItemURI)
    /// Watch all these registered folders; replaces the former set.
    case setWatchedFolders([WatchedFolder])
    /// Send ``Event/itemsChanged(_:)`` with `overflow` for this folder as soon as it is watched.
    case reportWhenWatched(ItemURI)
    /// Resolve the ancestors of folders and determine what they are, then send ``Event/foldersChecked(_:_:)``.
    case checkFolders(CallToken, [ItemURI])
    /// Deliver every change up to now below a folder, then send ``Event/flushed(_:)``.
    case flushWatcher(CallToken, ItemURI)
    /// Determine which of these items are directories, without following symlinks, then send
    /// ``Event/itemsInspected(_:_:)``.
    case inspectItems(RequestToken, [ItemURI])
    /// Find the types of data that these items can have, by their names alone, then send ``Event/typesFound(_:_:)``.
    case findTypes(RequestToken, [ItemURI])
    /// Find the places of these directories, following every symbolic link and on each mount of their file systems,
    /// then send ``Event/placesFound(_:_:)``.
    case findPlaces(RequestToken, [ItemURI])
    /// Properties of the Host interface changed; ``Engine`` has their values.
    case propertiesChanged(ChangedProperties)
    /// Send Changed of the Providers interface.
    case providersChanged
    /// Write ``Engine/savedState``.
    case persist
    /// Start a provider by its bus name, soon and with back-off.
    case activateProvider(ProviderID, busName: String)
    /// Reset the back-off of a provider: it has registered, or must not be started.
    case providerSettled(ProviderID)
    /// Save a picture where the programs of the session look for icons, then answer the call with ``Reply/icon(_:)``.
    case storePicture(CallToken, Picture)
    /// Remove the pictures with these icon names.
    case removePictures([String])
    /// Show the settings of a provider and answer the call.
    case openSettings(CallToken, ProviderID)
    /// Show something in Roundel's window, then send ``Event/windowAnswered(_:isShown:)``.
    case showWindow(WindowRequest)
    /// Send ``Event/timer`` at this time; nil: never.
    case setTimer(Instant?)
    /// Log that a provider misbehaved.
    case warn(String)
}

/// The answers to calls.
package enum Reply: Equatable, Sendable {
    /// Nothing to return.
    case done
    /// For BeginObserving.
    case monitored(Bool)
    /// For RequestBadges; the column of names is empty.
    case badges(BadgeColumns)
    /// For RequestDirectory; `next` is nil at the end.
    case directory(BadgeColumns, next: ItemName?)
    /// For GetMenu.
    case menu(HostedMenu)
    /// For GetAttributes.
    case attributes([String: AttributeValue])
    /// For GetItemService.
    case service(busName: String, object: String, provider: ProviderID, name: String)
    /// For UpdateBadges.
    case observed(Bool)
    /// For List.
    case providers([ProviderSummary])
    /// For StorePicture: the icon's name.
    case icon(String)
    /// For SetFolders, if some of the folders wait for the user's consent.
    case registered(waiting: [ItemURI])
}

/// A connected provider.
package struct ProviderEndpoint: Hashable, Sendable {
    /// The unique name of its connection.
    package var connection: String
    /// The path of the object that it registered.
    package var object: String

    /// The target of `org.roundel.Provider1` calls.
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
