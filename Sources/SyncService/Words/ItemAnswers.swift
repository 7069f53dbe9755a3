internal import RoundelBus
internal import Support
internal import SyncCore

/// What is answered to a question that a menu offers about one item.
struct ItemAnswers {
    let item: ItemURI
    private let unit: FolderUnit
    /// In microseconds since 1970.
    private let now: Int64

    /// The maximum number of events in a history.
    private static let events = 5

    init(_ item: ItemURI, of unit: FolderUnit, now: Int64) { (self.item, self.unit, self.now) = (item, unit, now) }

    /// Why the item is not synced.
    var why: String {
        guard let node = unit.items.node(at: item), let state = unit.items.presentation(of: node)?.state else {
            return tr("“{1}” is not known to Roundel yet. Wait a moment.", name)
        }
        return tr("“{1}”: {2}", name, unit.attributes.message(of: node) ?? Self.meaning(of: state))
    }

    /// What was done with the item, the latest first.
    var history: String {
        let events = unit.reporter.activities(of: item, limit: Self.events)
        if events.isEmpty { return tr("“{1}” has not changed since its folder was added, or long ago.", name) }
        let lines = events.map { event in
            let day = TimeText.day(event.time, now: now)
            return event.uri == item.uri
                ? tr("{1}: {2}", day, Self.words(event))
                : tr("{1}: {2} – {3}", day, ItemAnswers.name(of: event.uri), Self.words(event))
        }
        return ([tr("“{1}”:", name)] + lines).joined(separator: "\n")
    }

    private var name: String { Self.name(of: item.uri) }

    private static func name(of uri: String) -> String { (try? ItemURI(uri))?.label ?? uri }

    private static func meaning(of state: ItemSyncState) -> String {
        switch state {
        case .synced, .onlineOnly: tr("It is synced.")
        case .syncing: tr("It is being synced.")
        case .pending: tr("It has changed and will be synced soon.")
        case .paused: tr("Syncing is paused. Choose “Resume Syncing” in the menu of its folder.")
        case .error: tr("It, or something in it, could not be synced.")
        case .conflict: tr("It was changed on both sides. Choose which version to keep.")
        case .excluded: tr("It is left out of syncing. Choose “Sync Again” in its menu to sync it.")
        }
    }

    private static func words(_ event: SyncActivity) -> String {
        switch event.action.known {
        case .uploaded: tr("sent to the remote")
        case .downloaded: tr("received from the remote")
        case .moved:
            event.oldURI.map { tr("moved or renamed from “{1}”", name(of: $0)) } ?? tr("moved or renamed")
        case .deletedLocal: tr("deleted on this computer")
        case .deletedRemote: tr("deleted on the remote")
        case .conflict: tr("changed on both sides; both versions were kept")
        case .permissions: tr("its permissions were changed")
        case .notKept: event.message ?? tr("an older version could not be kept")
        case .copiedOut: event.message ?? tr("copied out of the folder")
        case .error: event.message ?? tr("could not be synced")
        case nil: event.action.text
        }
    }
}
