package import RoundelBus

/// An event that the service reports to the engine.
package enum Event: Sendable {
    /// A method of the Host interface was called.
    case host(HostCall)
    /// A method of the Registry interface was called.
    case registry(RegistryCall)
    /// A method of the Providers interface was called.
    case settings(SettingsCall)
    /// A provider answered ``Action/ask(_:_:_:)``, or will not answer.
    case answer(RequestToken, ProviderAnswer)
    /// A unique name left the bus.
    case peerLeft(String)
    /// A receiver does not read its signals, and its backlog exceeds the limit.
    case receiverFellBehind(String)
    /// The results of ``Action/checkFolders(_:_:)``, in its order.
    case foldersChecked(CallToken, [FolderFacts])
    /// A registered folder appeared, vanished or was replaced after it was accepted.
    case folderChanged(FolderFacts)
    /// Items of a watched directory vanished.
    case itemsVanished(directory: ItemURI, names: [ItemName])
    /// Changes of a watched directory were lost: it now contains only these items.
    case itemsPresent(directory: ItemURI, names: [ItemName])
    /// A watched directory vanished, or is no longer a directory.
    case directoryVanished(ItemURI)
    /// A directory is at the place of a watched one that had vanished.
    case directoryReturned(ItemURI)
    /// The target of a watched link has changed.
    case linkChanged(ItemURI)
    /// Changes below a folder whose provider asked for them (`watch`).
    case itemsChanged(FolderChanges)
    /// Every change before ``Action/flushWatcher(_:_:)`` has been delivered.
    case flushed(CallToken)
    /// The results of ``Action/inspectItems(_:_:)``, in its order: whether each is a directory; nil if unknown.
    case itemsInspected(RequestToken, [Bool?])
    /// The results of ``Action/findTypes(_:_:)``, in its order: the types of which a file with that name can be, as
    /// good as each other; none if the name says nothing.
    case typesFound(RequestToken, [[DataType]])
    /// The results of ``Action/findPlaces(_:_:)``, in its order.
    case placesFound(RequestToken, [FoundDirectory])
    /// The installed manifests; sent at the start and whenever they change.
    case manifests([Manifest])
    /// The state saved by an earlier run; sent once, before anything else.
    case restored(SavedState)
    /// A provider could not be started, with the reason as a sentence.
    case activationFailed(ProviderID, String)
    /// Whether Roundel's window is installed; sent at the start and when it changes.
    case windowFound(Bool)
    /// Whether ``Action/showWindow(_:)`` did.
    case windowAnswered(WindowRequest, isShown: Bool)
    /// The deadline of ``Action/setTimer(_:)`` has passed.
    case timer

    /// The call that this event starts or continues; nil if there is none.
    package var call: CallToken? {
        switch self {
        case .host(let call): call.token
        case .registry(let call): call.token
        case .settings(let call): call.token
        case .foldersChecked(let token, _), .flushed(let token): token
        case .answer, .peerLeft, .receiverFellBehind, .folderChanged, .itemsVanished, .itemsPresent, .directoryVanished,
            .directoryReturned, .linkChanged, .itemsChanged, .itemsInspected, .typesFound, .placesFound, .manifests,
            .restored, .activationFailed, .windowFound, .windowAnswered, .timer:
            nil
        }
    }
}

/// A call of the Host interface.
package struct HostCall: Sendable {
    /// The unique name of the caller.
    package var caller: String
    /// Returned with the reply.
    package var token: CallToken
    /// The method and its arguments.
    package var request: HostRequest

    /// A call as it arrived.
    package init(caller: String, token: CallToken, request: HostRequest) {
        self.caller = caller
        self.token = token
        self.request = request
    }
}

/// The methods of the Host interface; their URIs and names are well formed, other arguments are unchecked.
package enum HostRequest: Sendable {
    case beginObserving(ItemURI)
    case endObserving(ItemURI)
    case requestBadges(ItemURI, [ItemName])
    /// `after` is nil to start.
    case requestDirectory(ItemURI, after: ItemName?, limit: UInt32)
    /// `target` is nil if the caller passed "".
    case getMenu(kind: UInt32, target: ItemURI?, selection: [ItemURI])
    case activate(menu: UInt64, item: String, ActivationOptions)
    /// From hosts inside the service, which show notices; `notice` and `action` are the provider's own ids.
    case activateNotice(ItemURI, notice: String, action: String, ActivationOptions)
    case getAttributes(ItemURI, keys: [String])
    case getItemService(ItemURI, interface: String)
}

/// A call of the Registry interface.
package struct RegistryCall: Sendable {
    /// The unique name of the caller.
    package var caller: String
    /// Returned with the reply.
    package var token: CallToken
    /// The method and its arguments.
    package var request: RegistryRequest

    /// A call as it arrived.
    package init(caller: String, token: CallToken, request: RegistryRequest) {
        self.caller = caller
        self.token = token
        self.request = request
    }
}

/// The methods of the Registry interface with their checked arguments.
package enum RegistryRequest: Sendable {
    case register(ProviderRegistration)
    case setFolders([FolderOffer])
    case setBadgeImages([BadgeImage])
    case storePicture(name: String, [UInt8])
    case updateBadges(ItemURI, BadgeColumns)
    case setFolderStatus(ItemURI, FolderStatus, [FolderNotice])
    case flush(ItemURI)
    case unregister
}

/// A call of the Providers interface.
package struct SettingsCall: Sendable {
    /// Returned with the reply.
    package var token: CallToken
    /// The method and its arguments.
    package var request: SettingsRequest

    /// A call as it arrived.
    package init(token: CallToken, request: SettingsRequest) {
        self.token = token
        self.request = request
    }
}

/// The methods of the Providers interface; ids are unchecked.
package enum SettingsRequest: Sendable {
    case list
    case enable(String)
    case disable(String)
    case forget(String)
    /// The user lets a provider have a folder above or below another provider's.
    case allow(String, ItemURI)
    case disallow(String, ItemURI)
    case openSettings(String)
}

/// The outcome of a question to a provider.
package enum ProviderAnswer: Sendable {
    /// For RequestBadges; ``BadgeColumns/names`` is empty.
    case badges(BadgeColumns)
    /// For RequestDirectory; `next` is nil at the end.
    case directory(BadgeColumns, next: ItemName?)
    /// For GetMenu.
    case menu([MenuItem])
    /// For GetAttributes.
    case attributes([String: AttributeValue])
    /// For Activate and ItemsChanged.
    case done
    /// For Activate, with what the action made.
    case product(ActionProduct)
    /// An answer of the wrong type, with invalid names or too many of them.
    case malformed
    /// An error reply: its D-Bus name and its text.
    case failed(name: String, message: String)
    /// The connection is closed or cannot be reached.
    case gone
}
