import DBus
import RoundelBus

/// A provider that remembers what it was asked, and answers what the test set; nil answers later, by the test.
final class StandInProvider: Provider {
    private(set) var told: [String] = []
    private(set) var results: [Result<Void, DBusError>?] = []
    private(set) var requests: [MenuRequest] = []
    private(set) var changes: [FolderChanges] = []
    var badges: BadgeColumns? = BadgeColumns()
    var listing: (BadgeColumns, ItemName?) = (BadgeColumns(), nil)
    var menu: [MenuItem] = []
    var outcome: Result<ActionProduct?, RoundelError> = .success(nil)
    var attributes: [String: AttributeValue] = [:]
    /// The answers that are still owed.
    private(set) var owedBadges: [(BadgeColumns) -> Void] = []

    func beginObserving(_ directory: ItemURI) { told.append("begin \(directory)") }
    func endObserving(_ directory: ItemURI) { told.append("end \(directory)") }

    func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void) {
        told.append("badges \(directory) \(names.map(\.encoded))")
        if let badges { answer(badges) } else { owedBadges.append(answer) }
    }

    func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
    ) {
        told.append("directory \(directory) after \(after?.encoded ?? "-") limit \(limit)")
        answer(listing.0, listing.1)
    }

    func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void) {
        requests.append(request)
        answer(menu)
    }

    func activate(
        _ item: String, _ request: MenuRequest, finished: @escaping (Result<ActionProduct?, RoundelError>) -> Void
    ) {
        told.append("activate \(item)")
        requests.append(request)
        finished(outcome)
    }

    func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void) {
        told.append("attributes \(item) \(keys)")
        answer(attributes)
    }

    func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void) {
        self.changes.append(changes)
        accepted()
    }

    func registrationChanged(_ result: Result<Void, DBusError>?) { results.append(result) }

    /// The registrations as "yes", the name of an error, or "gone".
    var registrations: [String] {
        results.map { result in
            switch result {
            case .success: "yes"
            case .failure(let error): error.name
            case nil: "gone"
            }
        }
    }
}

/// A provider that leaves everything to the defaults.
final class PlainProvider: Provider {
    func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void) {
        answer(BadgeColumns())
    }
}
