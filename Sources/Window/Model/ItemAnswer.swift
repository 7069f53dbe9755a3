internal import Client
package import DBus
package import RoundelBus
internal import Support

/// Why an item is in its state, in words.
package struct ItemAnswer: Sendable, Equatable {
    /// The item and its state.
    package let title: String
    /// The reason, and what to do.
    package let text: String
    /// Whether the item is listed among the problems, where it can be acted on.
    package let isListed: Bool

    /// Asks the provider of an item.
    package static func of(_ item: ItemURI, bus: AsyncConnection) async -> ItemAnswer {
        do {
            let facts = try await ItemFacts(of: item, engines: Engines(bus: bus))
            return ItemAnswer(item, state: facts.state, reason: facts.reason)
        } catch {
            return ItemAnswer(title: DisplayText.escaped(item.displayName), text: Sentence.of(error), isListed: false)
        }
    }

    /// The words for what is known.
    init(_ item: ItemURI, state: Badge, reason: String?) {
        let name = DisplayText.escaped(item.displayName)
        let known = CommonBadge(state)
        let said = reason.map { DisplayText.escaped($0) } ?? ""
        self.init(
            title: known.map { tr("{1}: {2}", name, $0.label) } ?? name,
            text: said.isEmpty ? Self.meaning(of: known) : said,
            isListed: Self.isListed(known))
    }

    private init(title: String, text: String, isListed: Bool) {
        (self.title, self.text, self.isListed) = (title, text, isListed)
    }

    private static func isListed(_ state: CommonBadge?) -> Bool {
        switch state {
        case .error, .conflict, .pending: true
        case .synced, .syncing, .paused, .excluded, .onlineOnly, nil: false
        }
    }

    private static func meaning(of state: CommonBadge?) -> String {
        switch state {
        case .synced: tr("It is the same on this computer and on the remote.")
        case .pending: tr("It has changed and will be synced soon.")
        case .syncing: tr("It is being transferred.")
        case .paused: tr("Syncing is paused. Resume it in the menu of its folder.")
        case .error: tr("It, or something in it, could not be synced. What is in it is listed under Problems.")
        case .conflict: tr("It was changed on both sides. Choose under Problems which version to keep.")
        case .excluded: tr("It is left out of syncing. Choose “Sync Again” in its menu in the file manager to sync it.")
        case .onlineOnly: tr("Its contents are on the remote alone. Open it to have them here.")
        case nil: tr("Nothing is known of it yet.")
        }
    }
}
